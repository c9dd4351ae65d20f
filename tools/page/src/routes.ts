// Where the page is: `#/SUBJECT/VIEW/more`, so that every place has an address and the browser's buttons work.
import { useEffect, useState } from "preact/hooks";

export const VIEWS = ["chat", "beliefs", "map", "timeline", "files", "wiki", "report", "limits"] as const;
export type View = (typeof VIEWS)[number];

export interface Place {
  subject: string;
  view: View;
  rest: string;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function placeOf(hash: string): Place {
  const [subject = "", view = "", ...rest] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  return { subject, view: VIEWS.find((name) => name === view) ?? "chat", rest: rest.join("/") };
}

export function addressOf(subject: string, view: View, rest = ""): string {
  const parts = [subject, view, ...(rest ? rest.split("/") : [])];
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  useEffect(() => {
    const moved = () => setPlace(placeOf(location.hash));
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return place;
}
