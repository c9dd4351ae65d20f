import { useState } from "preact/hooks";
import { t, type Word } from "../i18n";
import { goAndSignIn, sessionOf, type Session, type SignIn } from "../session";

interface Props {
  signIn: SignIn | null;
  trouble: Word | null;
  signed: (session: Session | null, why: Word | null) => void;
}

export function SignInView({ signIn, trouble, signed }: Props) {
  const [token, setToken] = useState("");
  return (
    <section class="card narrow">
      <h1>{t("welcome")}</h1>
      <p>{t("what_it_is")}</p>
      {trouble && (
        <p class="trouble" role="alert">
          {t(trouble)}
        </p>
      )}
      {signIn ? (
        <button class="main" onClick={() => void goAndSignIn(signIn)}>
          {t("sign_in")}
        </button>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const found = sessionOf(token);
            signed(found, found ? null : "token_refused");
          }}
        >
          <label for="token">{t("token")}</label>
          <textarea id="token" dir="ltr" rows={5} spellcheck={false} value={token} onInput={(event) => setToken(event.currentTarget.value)} />
          <p class="hint">{t("token_hint")}</p>
          <pre dir="ltr">.venv/bin/anamnesis token</pre>
          <button class="main">{t("sign_in")}</button>
        </form>
      )}
    </section>
  );
}
