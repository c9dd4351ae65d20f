// Who is signed in: an ID token, kept for this tab alone. In AWS it comes from the user pool's own sign-in pages
// (authorisation code with PKCE, RFC 7636); where there are none, as on the local stack, it is pasted or in the address.

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
}

const TOKEN = "anamnesis.token";
const VERIFIER = "anamnesis.verifier";
const STATE = "anamnesis.state";

/** The address of the page without query and fragment: where the API is, and where sign-in comes back to. */
export function here(): string {
  return location.origin + location.pathname;
}

/** What a token says of its bearer; null when it is none or has run out. The API decides, this is for showing. */
export function sessionOf(token: string): Session | null {
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
    };
  } catch {
    return null;
  }
}

export function kept(): Session | null {
  return sessionOf(sessionStorage.getItem(TOKEN) ?? "");
}

export function keep(session: Session | null): void {
  if (session) sessionStorage.setItem(TOKEN, session.token);
  else sessionStorage.removeItem(TOKEN);
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
  sessionStorage.setItem(VERIFIER, verifier);
  sessionStorage.setItem(STATE, state);
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

/** The token for the code that the sign-in pages sent us back with; null when there is none or it is not ours. */
export async function fromCode(where: SignIn): Promise<string | null> {
  const query = new URLSearchParams(location.search);
  const code = query.get("code");
  const verifier = sessionStorage.getItem(VERIFIER);
  if (!code || !verifier || query.get("state") !== sessionStorage.getItem(STATE)) return null;
  sessionStorage.removeItem(VERIFIER);
  sessionStorage.removeItem(STATE);
  history.replaceState(null, "", here() + location.hash);
  const answer = await fetch(`${where.url}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: where.client_id,
      redirect_uri: here(),
      code,
      code_verifier: verifier,
    }),
  });
  return answer.ok ? String((await answer.json()).id_token) : null;
}
