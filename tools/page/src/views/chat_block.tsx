// The very block that a turn was given, how it came about, and the passages behind it.
import type { Passage } from "../answers";
import type { Block } from "../api";
import { moment, number, t, type Word } from "../i18n";
import { Empty, Said } from "../parts";
import { addressOf } from "../routes";
import { kindWord } from "./episode";

const INTENTS: Record<Block["intent"], Word> = { ordinary: "intent_ordinary", history: "intent_history", none: "intent_none" };
/** What a source of the block holds; names as the API gives them. */
const SOURCES: Record<string, Word> = {
  history: "timeline",
  episodes: "timeline",
  map: "map",
  layer: "taught",
  beliefs: "beliefs",
  self_model: "self_model",
  embedder: "meaning",
  vectors: "meaning",
  unindexed: "newest",
  passages: "passages",
};

export function BlockShown({ block, subject }: { block: Block; subject: string }) {
  return (
    <>
      <dl class="facts">
        <Fact name={t("tokens")}>{number(block.tokens)}</Fact>
        <Fact name={t("took")}>{t("milliseconds", { n: Math.round(block.elapsed_ms) })}</Fact>
        <Fact name={t("intent")}>{t(INTENTS[block.intent])}</Fact>
        {block.window && (
          <Fact name={t("window")}>
            <Said>{`“${block.window.phrase}”`}</Said> {moment(block.window.start)} – {moment(block.window.end)}
            {block.window_empty && <em> {t("window_empty")}</em>}
          </Fact>
        )}
        {block.routed.length > 0 && (
          <Fact name={t("concepts")}>
            {block.routed.map((key) => (
              <a class="tag" key={key} href={addressOf(subject, "map", key)} dir="auto">
                {key}
              </a>
            ))}
          </Fact>
        )}
        <Fact name={t("memories")}>
          {block.memory_ids.length === 0
            ? t("none")
            : block.memory_ids.map((id, place) => (
                <a class="tag" key={id} href={addressOf(subject, "timeline", id)}>
                  {number(place + 1)}
                </a>
              ))}
        </Fact>
        {block.degraded.length > 0 && (
          <Fact name={t("left_out")}>
            <strong class="warn">
              {sources(block.degraded).map((name, place) => (
                <>
                  {place > 0 && ", "}
                  <Said>{name}</Said>
                </>
              ))}
            </strong>
          </Fact>
        )}
      </dl>
      {block.dropped && <p class="trouble">{t("dropped")}</p>}
      {block.block === null ? !block.dropped && <Empty>{t("no_block")}</Empty> : <pre class="memory" dir="auto" tabIndex={0}>{block.block}</pre>}
    </>
  );
}

BlockShown.Summary = function Summary({ block }: { block: Block }) {
  return (
    <>
      {t("the_block")}{" "}
      <span class="hint">
        {t("tokens")}: {number(block.tokens)} · {t("milliseconds", { n: Math.round(block.elapsed_ms) })} · {t("memories")}: {number(block.memory_ids.length)}
        {(block.dropped || block.degraded.length > 0) && <strong class="warn"> · {t("left_out")}</strong>}
      </span>
    </>
  );
};

function sources(names: string[]): string[] {
  return [...new Set(names.map((name) => (SOURCES[name] ? t(SOURCES[name]) : name)))];
}

export function PassagesShown({ passages, subject }: { passages: Passage[]; subject: string }) {
  if (passages.length === 0) return <Empty>{t("passages_none")}</Empty>;
  return (
    <ol class="plain passages">
      {passages.map((passage, place) => (
        <li key={place}>
          <blockquote class="said" dir="auto">
            {passage.text}
          </blockquote>
          <p class="hint">
            <a href={addressOf(subject, passage.kind === "file" ? "files" : "timeline", passage.id)}>
              <Said>{passage.kind === "file" ? passage.name : kindWord(passage.name)}</Said>
            </a>
            {passage.page !== null && <> · {t("source_page", { page: passage.page })}</>}
            {passage.at && <> · {moment(passage.at)}</>}
          </p>
        </li>
      ))}
    </ol>
  );
}

PassagesShown.Summary = function Summary({ passages }: { passages: Passage[] }) {
  return (
    <>
      {t("passages")} <span class="hint">{number(passages.length)}</span>
    </>
  );
};

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
