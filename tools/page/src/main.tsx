import { render } from "preact";
import { App } from "./app";
import { preferred, speak } from "./i18n";
import { Problem } from "./api";
import { Trouble } from "./parts";
import { fromCode, fromFragment, here, keep, resumed, sessionOf, type SignIn } from "./session";
import "./palette.css";
import "./style.css";
import "./views/views.css";
import "./views/drawings.css";

interface Settings {
  sign_in: SignIn | null;
}

async function start(): Promise<void> {
  await speak(preferred());
  const theme = localStorage.getItem("anamnesis.theme");
  if (theme) document.documentElement.dataset.theme = theme;
  const root = document.getElementById("page");
  if (!root) return;
  const settings = await fetch(new URL("page/settings.json", here())).then((answer): Promise<Settings> => answer.json(), () => null);
  if (!settings) return render(<Trouble error={new Problem(0, "unreachable", "", null)} again={() => location.reload()} />, root);
  const where = settings.sign_in;
  // A token in the address is taken only where nobody could sign in otherwise: a link must not make anybody somebody else.
  const token = where ? null : fromFragment();
  const given = where ? await fromCode(where) : token === null ? null : (sessionOf(token) ?? "failed");
  const session = given === "failed" ? null : (given ?? (await resumed(where)));
  keep(session);
  const trouble = given !== "failed" ? null : where ? "sign_in_failed" : "token_refused";
  render(<App first={session} signIn={where} trouble={trouble} />, root);
}

void start();
