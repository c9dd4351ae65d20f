// What several views are made of.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "./api";
import { around, language, t, told, type Word } from "./i18n";

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

/** What went wrong: our words for what the service always calls the same, its own for the rest. */
export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  const problem = error instanceof Problem ? error : null;
  const known = problem?.kind ? told("problem", problem.kind) : null;
  const title = problem?.status === 0 ? t("unreachable") : known && known !== problem?.kind ? known : problem ? problem.title : String(error);
  return (
    <div class="trouble" role="alert">
      <p>
        <Said>{problem?.detail ? `${title}: ` : title}</Said>
        {problem?.detail && <Said lang={language === "en" ? undefined : "en"}>{problem.detail}</Said>}
        {problem?.field && (
          <>
            {" "}
            (<code>{problem.field}</code>)
          </>
        )}
      </p>
      {again && <button onClick={again}>{t("try_again")}</button>}
    </div>
  );
}

export function Waiting({ word = "loading" }: { word?: Word }) {
  return (
    <p class="waiting" role="status">
      {t(word)}
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
export function Said({ children, lang }: { children: string; lang?: string | undefined }) {
  return (
    <bdi dir="auto" lang={lang}>
      {children}
    </bdi>
  );
}

/** Our words around somebody's, which are set apart in them. */
export function Around({ word, ...values }: { word: Word } & Record<string, ComponentChildren>) {
  return <>{around(word).map((part) => (/^\{\w+\}$/.test(part) ? values[part.slice(1, -1)] : part))}</>;
}

export function Meter({ value, label }: { value: number; label: string }) {
  return (
    <svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect width="100" height="8" class="meter-all" />
      <rect width={Math.round(Math.min(1, Math.max(0, value)) * 100)} height="8" class="meter-part" />
    </svg>
  );
}

/** The reader's time zone. */
export function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** Brings what somebody asked to see into view, and the keyboard's place to it, once and not whenever it is drawn. */
export function useShown<E extends HTMLElement>(asked: boolean, block: ScrollLogicalPosition = "nearest") {
  const element = useRef<E>(null);
  useEffect(() => {
    if (!asked) return;
    element.current?.scrollIntoView({ block });
    element.current?.focus({ preventScroll: true });
  }, [asked]);
  return element;
}
