// The frame: who is signed in, which subject, which view.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Api } from "./api";
import { choose, LANGUAGES, language, t, type Language, type Word } from "./i18n";
import { Empty, Waiting } from "./parts";
import { addressOf, usePlace, VIEWS, type Place, type View } from "./routes";
import { keep, signOut, type Session, type SignIn } from "./session";
import { SignInView } from "./views/sign_in";
import { SHOWN } from "./views";

interface Props {
  first: Session | null;
  signIn: SignIn | null;
  trouble: Word | null;
}

export function App({ first, signIn, trouble: before }: Props) {
  const [session, setSession] = useState(first);
  const [trouble, setTrouble] = useState<Word | null>(before);
  const [spoken, setSpoken] = useState<Language>(language);
  const sign = (found: Session | null, why: Word | null = null) => {
    keep(found);
    setSession(found);
    setTrouble(why);
  };
  const controls = <Controls spoken={spoken} chosen={(name) => void choose(name).then(() => setSpoken(name))} />;
  if (!session) {
    return (
      <>
        <header class="bar">
          <strong class="brand">Anamnesis</strong>
          {controls}
        </header>
        <main id="main" tabIndex={-1}>
          <SignInView signIn={signIn} trouble={trouble} signed={sign} />
        </main>
      </>
    );
  }
  const leave = () => {
    signOut(session, signIn);
    sign(null);
  };
  return <Memory session={session} signIn={signIn} controls={controls} leave={leave} signedOut={() => sign(null, "signed_out")} />;
}

interface MemoryProps {
  session: Session;
  signIn: SignIn | null;
  controls: preact.ComponentChild;
  leave: () => void;
  signedOut: () => void;
}

function Memory({ session, signIn, controls, leave, signedOut }: MemoryProps) {
  const place = usePlace();
  const [student, setStudent] = useState<string | null>(session.role === "student" ? null : session.student);
  const api = useMemo(() => new Api(session, student, signIn, signedOut), [session, student]);
  const whole = session.role === "student" || !!student;
  const known = useSubjects(api, place.subject, whole);
  useEffect(() => {
    document.title = place.subject ? `${place.subject} · ${t(place.view)} · Anamnesis` : "Anamnesis";
  }, [place.subject, place.view, language]);
  // Another view, and another page of the wiki, is read from its beginning.
  useEffect(() => scrollTo(0, 0), [place.subject, place.view, place.view === "wiki" ? place.rest : ""]);
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        {t("skip")}
      </a>
      <header class="bar">
        <strong class="brand">Anamnesis</strong>
        {session.role !== "student" && <Chooser label={t("student")} value={student ?? ""} known={[]} chosen={setStudent} />}
        <Chooser
          label={t("subject")}
          value={place.subject}
          known={known ?? []}
          chosen={(name) => (location.hash = addressOf(name, place.view))}
        />
        {controls}
        <span class="who">
          <bdi>{session.student ?? t(session.role)}</bdi>
          <button onClick={leave}>{t("sign_out")}</button>
        </span>
      </header>
      {place.subject !== "" && <Tabs place={place} />}
      <main id="main" tabIndex={-1}>
        <Inside api={api} place={place} whole={whole} known={known} key={`${api.whose}/${place.subject}/${place.view}`} />
      </main>
    </>
  );
}

function skipToMain(event: Event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Inside({ api, place, whole, known }: { api: Api; place: Place; whole: boolean; known: string[] | null }) {
  if (!whole) return <Empty>{t("choose_student")}</Empty>;
  if (!place.subject) return <Subjects known={known} view={place.view} />;
  const View = SHOWN[place.view];
  return <View api={api} place={place} />;
}

function Subjects({ known, view }: { known: string[] | null; view: View }) {
  if (!known) return <Waiting />;
  if (known.length === 0) return <Empty>{t("choose_subject")}</Empty>;
  return (
    <section>
      <h1>{t("subjects")}</h1>
      <ul class="plain concepts">
        {known.map((name) => (
          <li class="card" key={name}>
            <a href={addressOf(name, view)} dir="auto">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tabs({ place }: { place: Place }) {
  const tabs = useRef<HTMLElement>(null);
  // On a phone not all of them fit: the one that is open is among those that show.
  useEffect(() => tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [place.view]);
  return (
    <nav class="tabs" aria-label={t("views")} ref={tabs}>
      {VIEWS.map((view) => (
        <a key={view} href={addressOf(place.subject, view)} aria-current={view === place.view ? "page" : undefined}>
          {t(view)}
        </a>
      ))}
    </nav>
  );
}

/** The subjects that the student has anything in; the one that is open is among them, new as it may be. */
function useSubjects(api: Api, open: string, whole: boolean): string[] | null {
  const [known, setKnown] = useState<string[] | null>(null);
  useEffect(() => {
    let wanted = true;
    setKnown(null);
    if (whole) {
      api.get<{ subjects: string[] }>(["subjects"]).then(
        (reply) => wanted && setKnown(reply.subjects),
        () => wanted && setKnown([]),
      );
    }
    return () => {
      wanted = false;
    };
  }, [api, whole]);
  return known && open && !known.includes(open) ? [...known, open] : known;
}

interface ChooserProps {
  label: string;
  value: string;
  known: string[];
  chosen: (name: string) => void;
}

function Chooser({ label, value, known, chosen }: ChooserProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const list = `known-${label}`;
  return (
    <form
      class="chooser"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim()) chosen(typed.trim());
      }}
    >
      <label>
        <span>{label}</span>
        <input value={typed} list={list} dir="auto" maxLength={200} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <datalist id={list}>
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button>{t("open")}</button>
    </form>
  );
}

function Controls({ spoken, chosen }: { spoken: Language; chosen: (name: Language) => void }) {
  const turn = () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
    const next = now === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("anamnesis.theme", next);
  };
  return (
    <span class="controls">
      <select aria-label={t("language")} value={spoken} onChange={(event) => chosen(event.currentTarget.value as Language)}>
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
      <button class="icon" aria-label={t("theme")} title={t("theme")} onClick={turn}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="8" />
          <path d="M12 4a8 8 0 0 1 0 16z" />
        </svg>
      </button>
    </span>
  );
}
