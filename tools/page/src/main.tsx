import { render } from "preact";
import { App } from "./app";
import { preferred, speak } from "./i18n";
import { fromCode, fromFragment, keep, kept, sessionOf, type SignIn } from "./session";
import { here } from "./session";
import "./style.css";

async function start(): Promise<void> {
  await speak(preferred());
  const theme = localStorage.getItem("anamnesis.theme");
  if (theme) document.documentElement.dataset.theme = theme;
  const settings: { sign_in: SignIn | null } = await (await fetch(new URL("page/settings.json", here()))).json();
  // A token in the address is taken only where nobody could sign in otherwise: a link must not make anybody somebody else.
  const given = settings.sign_in ? await fromCode(settings.sign_in) : fromFragment();
  const session = given ? sessionOf(given) : kept();
  keep(session);
  const root = document.getElementById("page");
  if (root) render(<App first={session} signIn={settings.sign_in} refused={given !== null && session === null} />, root);
}

void start();
