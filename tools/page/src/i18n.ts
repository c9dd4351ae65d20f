// The page's words, one file a language. English is in the first file that is loaded, the others come when chosen.
import en from "./messages/en.json";

export type Word = keyof typeof en;
export const LANGUAGES = { en: "English", es: "Español", id: "Bahasa Indonesia", hi: "हिन्दी", ar: "العربية" } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Record<Exclude<Language, "en">, () => Promise<{ default: Record<Word, string> }>> = {
  es: () => import("./messages/es.json"),
  id: () => import("./messages/id.json"),
  hi: () => import("./messages/hi.json"),
  ar: () => import("./messages/ar.json"),
};
const KEPT = "anamnesis.language";
let words: Record<Word, string> = en;
export let language: Language = "en";

function isLanguage(tag: string): tag is Language {
  return tag in LANGUAGES;
}

/** The language chosen before, else the first of the browser's that there is. */
export function preferred(): Language {
  const tags = [localStorage.getItem(KEPT) ?? "", ...navigator.languages].map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return tags.find(isLanguage) ?? "en";
}

export async function speak(chosen: Language): Promise<void> {
  words = chosen === "en" ? en : (await LOADERS[chosen]()).default;
  language = chosen;
  document.documentElement.lang = chosen;
  document.documentElement.dir = chosen === "ar" ? "rtl" : "ltr";
}

export function choose(chosen: Language): Promise<void> {
  localStorage.setItem(KEPT, chosen);
  return speak(chosen);
}

/** The words for something, with `{name}` replaced. */
export function t(word: Word, values: Record<string, string | number> = {}): string {
  return words[word].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? number(value) : value;
  });
}

/** The words around a value that is no text of ours, which is shown between them. */
export function around(word: Word): string[] {
  return words[word].split(/(\{\w+\})/);
}

/** A stable word of the service in this language, by its family; one that the page does not know stays as it is. */
export function told(family: string, stable: string, values: Record<string, string | number> = {}): string {
  const word = `${family}_${stable.replace(/[^a-z0-9]+/g, "_")}`;
  return Object.hasOwn(en, word) ? t(word as Word, values) : stable;
}

export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(language, options).format(value);
}

export function percent(share: number): string {
  return number(share, { style: "percent", maximumFractionDigits: 0 });
}

/** Bytes in the unit that people would use for so many. */
export function size(bytes: number): string {
  const steps = ["byte", "kilobyte", "megabyte"];
  const step = bytes < 1e3 ? 0 : bytes < 1e6 ? 1 : 2;
  return number(bytes / 1e3 ** step, { style: "unit", unit: steps[step], unitDisplay: "short", maximumFractionDigits: 1 });
}

function formatted(time: string, style: Intl.DateTimeFormatOptions): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : new Intl.DateTimeFormat(language, style).format(at);
}

export function day(time: string): string {
  return formatted(time, { dateStyle: "long" });
}

/** A date without a time, such as 2026-07-01, whatever zone the reader is in. */
export function date(of: string): string {
  return formatted(of, { dateStyle: "long", timeZone: "UTC" });
}

export function moment(time: string): string {
  return formatted(time, { dateStyle: "medium", timeStyle: "short" });
}

export function clock(time: string): string {
  return formatted(time, { timeStyle: "short" });
}

/** Whole numbers in order with runs drawn together: 1–3, 7. */
export function runs(numbers: number[]): string {
  const found: [number, number][] = [];
  for (const one of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && one === last[1] + 1) last[1] = one;
    else found.push([one, one]);
  }
  return found.map(([first, last]) => (first === last ? number(first) : `${number(first)}–${number(last)}`)).join(", ");
}
