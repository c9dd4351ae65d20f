// Who is signed in: an ID token, kept for this tab alone. In AWS it comes from the user pool's own sign-in pages
// (authorisation code with PKCE, RFC 7636) and is renewed there as long as they allow; where there are none, as on the
// local stack, it is pasted or in the address.

export interface SignIn {
  url: string;
  client_id: string;
}

export interface Session {
  token: string;
  tenant: string;
  student: string | null;
  role: "student" | "teacher" | "service";
  expires: number;
  /** What renews the token; null where nobody does. */
  refresh: string | null;
}

interface Tokens {
  id_token: string;
  refresh_token?: string;
}

const TOKEN = "anamnesis.token";
const REFRESH = "anamnesis.refresh";
const PLACE = "anamnesis.place";
/** What conversations are kept under. */
export const CONVERSATIONS = "anamnesis.chat.";
/** How long before it runs out a token is renewed: longer than a request takes, much shorter than its hour. */
const EARLY_MILLISECONDS = 60_000;
const VERIFIER = "anamnesis.verifier";
const STATE = "anamnesis.state";

/** The address of the page without query and fragment: where the API is, and where sign-in comes back to. */
export function here(): string {
  return location.origin + location.pathname;
}

/** What a token says of its bearer; null when it is none or has run out. The API decides, this is for showing. */
export function sessionOf(token: string, refresh: string | null = null): Session | null {
  try {
    const part = token.trim().split(".")[1] ?? "";
    const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes));
    const groups = [claims["cognito:groups"] ?? []].flat();
    const role = (["service", "teacher", "student"] as const).find((name) => groups.includes(name));
    if (!role || !claims["custom:tenant"] || claims.exp * 1000 < Date.now()) return null;
    return {
      token: token.trim(),
      tenant: String(claims["custom:tenant"]),
      student: claims["custom:student"] ? String(claims["custom:student"]) : null,
      role,
      expires: claims.exp * 1000,
      refresh,
    };
  } catch {
    return null;
  }
}

export function kept(): Session | null {
  return sessionOf(sessionStorage.getItem(TOKEN) ?? "", sessionStorage.getItem(REFRESH));
}

/** Who was signed in before the page was loaded; a token that ran out meanwhile is renewed. */
export async function resumed(where: SignIn | null): Promise<Session | null> {
  const refresh = sessionStorage.getItem(REFRESH);
  const session = kept();
  if (session || !where || !refresh) return session;
  const tokens = await tokensFor(where, { grant_type: "refresh_token", refresh_token: refresh }).catch(() => null);
  return tokens && sessionOf(tokens.id_token, tokens.refresh_token ?? refresh);
}

/** Whether this is still who is signed in in this tab. */
export function holds(session: Session): boolean {
  return sessionStorage.getItem(TOKEN) === session.token;
}

/** With the token goes everything else that the tab holds of a student, such as conversations. */
export function keep(session: Session | null): void {
  if (!session) return sessionStorage.clear();
  put(TOKEN, session.token);
  if (session.refresh) put(REFRESH, session.refresh);
  else sessionStorage.removeItem(REFRESH);
}

/** A tab that is full of conversations gives them up rather than who is signed in: what is shown of them stays. */
function put(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    for (const other of Object.keys(sessionStorage)) if (other.startsWith(CONVERSATIONS)) sessionStorage.removeItem(other);
    sessionStorage.setItem(name, value);
  }
}

/** What the sign-in pages give for a code or a refresh token; null when they refuse it. */
async function tokensFor(where: SignIn, asked: Record<string, string>): Promise<Tokens | null> {
  const body = new URLSearchParams({ client_id: where.client_id, ...asked });
  const answer = await fetch(`${where.url}/oauth2/token`, { method: "POST", body });
  return answer.ok ? answer.json() : null;
}

let renewing: Promise<boolean> | null = null;

/** Renews a session's token in place, once however many ask for it; tells whether it now has one that was not refused. */
export function renewed(session: Session, where: SignIn | null): Promise<boolean> {
  if (!where || !session.refresh) return Promise.resolve(false);
  const asked = { grant_type: "refresh_token", refresh_token: session.refresh };
  renewing ??= tokensFor(where, asked)
    .then((tokens) => {
      const found = tokens && sessionOf(tokens.id_token, tokens.refresh_token ?? session.refresh);
      // Nobody becomes somebody else by waiting.
      if (!found || found.tenant !== session.tenant || found.student !== session.student || found.role !== session.role) return false;
      Object.assign(session, found);
      keep(session);
      return true;
    })
    .finally(() => (renewing = null));
  return renewing;
}

export function runsOutSoon(session: Session): boolean {
  return session.expires - Date.now() < EARLY_MILLISECONDS;
}

/** A token from the address's fragment, which no server sees; it is taken out of the address at once. */
export function fromFragment(): string | null {
  const found = /^#token=([\w.-]+)(?:&to=(.*))?$/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", here() + (found[2] ? `#/${found[2]}` : ""));
  return found[1] ?? null;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function goAndSignIn(where: SignIn): Promise<void> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const state = base64url(crypto.getRandomValues(new Uint8Array(16)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  put(VERIFIER, verifier);
  put(STATE, state);
  put(PLACE, location.hash);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: where.client_id,
    redirect_uri: here(),
    scope: "openid",
    state,
    code_challenge_method: "S256",
    code_challenge: base64url(new Uint8Array(digest)),
  });
  location.assign(`${where.url}/oauth2/authorize?${query}`);
}

/** The session for the code that the sign-in pages sent us back with; null when there is none, or it is not ours. */
export async function fromCode(where: SignIn): Promise<Session | "failed" | null> {
  const query = new URLSearchParams(location.search);
  if (!query.has("code") && !query.has("error")) return null;
  const [code, verifier, state] = [query.get("code"), sessionStorage.getItem(VERIFIER), sessionStorage.getItem(STATE)];
  history.replaceState(null, "", here() + (sessionStorage.getItem(PLACE) ?? location.hash));
  for (const name of [VERIFIER, STATE, PLACE]) sessionStorage.removeItem(name);
  if (!code || !verifier || query.get("state") !== state) return "failed";
  const asked = { grant_type: "authorization_code", redirect_uri: here(), code, code_verifier: verifier };
  const tokens = await tokensFor(where, asked).catch(() => null);
  return (tokens && sessionOf(tokens.id_token, tokens.refresh_token ?? null)) ?? "failed";
}

/** Ends the session with the sign-in pages too, which would otherwise let the next person at this machine in. */
export function signOut(session: Session, where: SignIn | null): void {
  const leaving = session.refresh;
  keep(null);
  if (!where) return;
  if (leaving) {
    const body = new URLSearchParams({ token: leaving, client_id: where.client_id });
    void fetch(`${where.url}/oauth2/revoke`, { method: "POST", body, keepalive: true }).catch(() => undefined);
  }
  location.assign(`${where.url}/logout?${new URLSearchParams({ client_id: where.client_id, logout_uri: here() })}`);
}
