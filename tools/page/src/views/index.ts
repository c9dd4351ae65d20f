// Every view by its name.
import type { ComponentType } from "preact";
import type { Api } from "../api";
import type { Place, View } from "../routes";
import { Beliefs } from "./beliefs";
import { Chat } from "./chat";
import { Files } from "./files";
import { Limits } from "./limits";
import { MapView } from "./map";
import { Report } from "./report";
import { Timeline } from "./timeline";
import { Wiki } from "./wiki";

export interface ViewProps {
  api: Api;
  place: Place;
}

export const SHOWN: Record<View, ComponentType<ViewProps>> = {
  chat: Chat,
  beliefs: Beliefs,
  map: MapView,
  timeline: Timeline,
  files: Files,
  wiki: Wiki,
  report: Report,
  limits: Limits,
};
