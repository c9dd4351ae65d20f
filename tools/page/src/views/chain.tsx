// The state of the log: whether it is as it was recorded, where it is broken, and its signed checkpoints.
import { useState } from "preact/hooks";
import type { Api, Chain, Checkpoint } from "../api";
import { number, t, told } from "../i18n";
import { Empty, Said, Shown, useLoaded } from "../parts";

/** What only a checkpoint shows to be wrong; it stands at the checkpoint's length. */
const OF_CHECKPOINTS = new Set(["truncated", "rewritten", "unknown_position", "bad_signature", "unknown_key", "foreign_origin", "malformed_checkpoint", "mislabelled_checkpoint"]);

interface StateProps {
  chain: Chain;
  /** Shows a place of the log in the list. */
  show: (position: number) => void;
}

export function ChainState({ chain, show }: StateProps) {
  return (
    <>
      {chain.verified && chain.breaks.length === 0 ? (
        <p class="note good" role="status">
          {t("chain_good", { n: chain.length, checkpoints: chain.checkpoints_checked })}
          {chain.erased.length > 0 && ` ${t("chain_erased", { n: chain.erased.length })}`}
        </p>
      ) : (
        <div class="trouble" role="alert">
          <p>{t("chain_broken")}</p>
          <ul>
            {chain.breaks.map((found) => (
              <li key={`${found.position} ${found.kind}`}>
                <Broken found={found} />{" "}
                {found.position > 0 && (
                  <button class="small" onClick={() => show(found.position)}>
                    {t("show_in_list")}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {chain.not_checked.length > 0 && (
        <p class="hint">
          {t("not_checked")}: <Said>{chain.not_checked.map(unchecked).join("; ")}</Said>
        </p>
      )}
    </>
  );
}

function Broken({ found }: { found: Chain["breaks"][number] }) {
  return <Said>{t("break_at", { n: found.position, kind: told("broken", found.kind) })}</Said>;
}

/** What the service says that it could not check, in this language; anything new in its own words. */
function unchecked(words: string): string {
  if (words.includes("no checkpoint of this log")) return t("unchecked_none");
  if (words.includes("an erasure is under way")) return t("unchecked_erasing");
  const since = /positions (\d+)–(\d+): they are newer/.exec(words);
  return since ? t("unchecked_since", { first: Number(since[1]), last: Number(since[2]) }) : words;
}

export function Checkpoints({ api, subject, chain }: { api: Api; subject: string; chain: Chain }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="checkpoints" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("checkpoints")}</summary>
      <p class="hint">{t("checkpoints_hint")}</p>
      {open && <CheckpointList {...{ api, subject, chain }} />}
    </details>
  );
}

function CheckpointList({ api, subject, chain }: { api: Api; subject: string; chain: Chain }) {
  const loaded = useLoaded(async () => {
    const found: Checkpoint[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: { checkpoints: Checkpoint[]; following: number | null } = await api.get(["subjects", subject, "chain", "checkpoints"], { after, limit: 500 });
      found.push(...page.checkpoints);
      after = page.following;
    }
    return found;
  }, []);
  const wrong = new Map(chain.breaks.filter((found) => OF_CHECKPOINTS.has(found.kind)).map((found) => [found.position, found.kind]));
  return (
    <Shown loaded={loaded}>
      {(checkpoints) =>
        checkpoints.length === 0 ? (
          <Empty>{t("checkpoints_none")}</Empty>
        ) : (
          <div class="scrolls" tabIndex={0} role="group" aria-label={t("checkpoints")}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t("covers")}</th>
                  <th scope="col">{t("state")}</th>
                  <th scope="col">{t("root")}</th>
                </tr>
              </thead>
              <tbody>
                {[...checkpoints].reverse().map((checkpoint, place) => (
                  <tr key={place}>
                    <th scope="row">{number(checkpoint.length)}</th>
                    <td>
                      <State checkpoint={checkpoint} kind={wrong.get(checkpoint.length)} />
                    </td>
                    <td>
                      <code>{checkpoint.note.split("\n")[2] ?? ""}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Shown>
  );
}

function State({ checkpoint, kind }: { checkpoint: Checkpoint; kind: string | undefined }) {
  if (kind) return <strong class="bad">{told("broken", kind)}</strong>;
  return checkpoint.consistency === null ? <strong class="bad">{t("does_not_agree")}</strong> : <span class="good">{t("agrees")}</span>;
}
