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

export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(language, options).format(value);
}

export function percent(share: number): string {
  return number(share, { style: "percent", maximumFractionDigits: 0 });
}

export function day(time: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(new Date(time));
}

export function moment(time: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}

export function clock(time: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(time));
}
