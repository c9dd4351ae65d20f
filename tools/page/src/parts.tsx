// What several views are made of.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "./api";
import { t } from "./i18n";

export type Loaded<T> = { value?: T; error?: unknown; again: () => void };

/** Something fetched when the view opens, and anew when what it depends on changes. */
export function useLoaded<T>(fetchIt: () => Promise<T>, depends: unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let wanted = true;
    setState({});
    fetchIt().then(
      (value) => wanted && setState({ value }),
      (error) => wanted && setState({ error }),
    );
    return () => {
      wanted = false;
    };
  }, [...depends, round]);
  return { ...state, again: () => setRound(round + 1) };
}

export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  const problem = error instanceof Problem ? error : null;
  const text = problem?.status === 0 ? t("unreachable") : problem ? [problem.title, problem.detail].filter(Boolean).join(": ") : String(error);
  return (
    <div class="trouble" role="alert">
      <p dir="auto">
        {text}
        {problem?.field ? ` (${problem.field})` : ""}
      </p>
      {again && <button onClick={again}>{t("try_again")}</button>}
    </div>
  );
}

export function Waiting() {
  return (
    <p class="waiting" role="status">
      {t("loading")}
    </p>
  );
}

/** The children with what was fetched, or that it is on its way, or what went wrong. */
export function Shown<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (loaded.error !== undefined) return <Trouble error={loaded.error} again={loaded.again} />;
  return loaded.value === undefined ? <Waiting /> : <>{children(loaded.value)}</>;
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** Somebody's words: always text, in the direction of its own script. */
export function Said({ children }: { children: string }) {
  return <span dir="auto">{children}</span>;
}

export function Meter({ value, label }: { value: number; label: string }) {
  return (
    <svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect width="100" height="8" class="meter-all" />
      <rect width={Math.round(Math.min(1, Math.max(0, value)) * 100)} height="8" class="meter-part" />
    </svg>
  );
}
