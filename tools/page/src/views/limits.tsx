// What the memory knows of its own limits: how far its predictions came true, and what the rest of it stands on.
import type { ComponentChildren } from "preact";
import { Problem, type Calibration, type SelfModel } from "../api";
import { date, day, language, number, percent, t } from "../i18n";
import { Empty, Shown, useLoaded } from "../parts";
import type { ViewProps } from ".";

/** From which error on a confidence is no probability; as the service's own self-model says it. */
const TOLERABLE_ERROR = 0.1;

export function Limits({ api, place }: ViewProps) {
  const loaded = useLoaded(async () => {
    try {
      return await api.get<SelfModel>(["subjects", place.subject, "self-model"]);
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    }
  }, []);
  return (
    <section>
      <h1>{t("limits_title")}</h1>
      <Shown loaded={loaded}>{(model) => (model === null ? <Empty>{t("limits_empty")}</Empty> : <Model model={model} />)}</Shown>
    </section>
  );
}

function Model({ model }: { model: SelfModel }) {
  const log = model.chain_verified === null ? "log_unknown" : model.chain_verified ? "log_verified" : "log_not_verified";
  return (
    <>
      <p class="hint">{t("limits_on", { day: date(model.composed_on) })}</p>
      <section class="card">
        <h2>{t("predictions_title")}</h2>
        <Predictions calibration={model.calibration} />
      </section>
      <section class="card">
        <h2>{t("log_title")}</h2>
        <p class={model.chain_verified === false ? "bad" : undefined}>{t(log)}</p>
      </section>
      <section class="card">
        <h2>{t("memory_title")}</h2>
        <dl class="facts figures">
          <Figure name={t("records")}>{number(model.episodes)}</Figure>
          {model.first_occurred_at && <Figure name={t("first_record")}>{day(model.first_occurred_at)}</Figure>}
          {model.last_occurred_at && <Figure name={t("last_record")}>{day(model.last_occurred_at)}</Figure>}
          <Figure name={t("checks")}>{number(model.checks)}</Figure>
          <Figure name={t("untied_checks")}>{number(model.checks_tied_to_nothing)}</Figure>
          <Figure name={t("beliefs_now")}>{number(model.current_beliefs)}</Figure>
          <Figure name={t("beliefs_confirm")}>{number(model.beliefs_to_confirm)}</Figure>
          {model.oldest_belief_days !== null && <Figure name={t("oldest_belief")}>{number(model.oldest_belief_days)}</Figure>}
          <Figure name={t("citations_hold")}>{number(model.citations_holding)}</Figure>
          <Figure name={t("citations_changed")}>{number(model.citations_changed)}</Figure>
          <Figure name={t("citations_unchecked")}>{number(model.citations_unchecked)}</Figure>
          <Figure name={t("citations_nothing")}>{number(model.citations_unverifiable)}</Figure>
        </dl>
      </section>
    </>
  );
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Predictions({ calibration }: { calibration: Calibration }) {
  const error = calibration.expected_calibration_error;
  const buckets = calibration.buckets.filter((bucket) => bucket.count > 0);
  if (error === null || buckets.length === 0) return <Empty>{t("predictions_none")}</Empty>;
  const verdict = !calibration.calibrated ? "calibrated_no" : error > TOLERABLE_ERROR ? "calibrated_far" : "calibrated_yes";
  return (
    <>
      <p>
        {t("predictions_off", { n: calibration.predictions, points: Math.round(100 * error) })} <strong>{t(verdict)}</strong>
      </p>
      <div class="beside">
        <Curve buckets={buckets} />
        <div class="scrolls" tabIndex={0} role="group" aria-label={t("predictions_title")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("axis_predicted")}</th>
                <th scope="col">{t("mean_predicted")}</th>
                <th scope="col">{t("axis_true")}</th>
                <th scope="col">{t("checks")}</th>
              </tr>
            </thead>
            <tbody>
              {buckets.map((bucket) => (
                <tr key={bucket.lower}>
                  <th scope="row">
                    <bdi dir="ltr">
                      {percent(bucket.lower)}–{percent(bucket.upper)}
                    </bdi>
                  </th>
                  <td>{percent(bucket.mean_predicted)}</td>
                  <td>{percent(bucket.share_correct)}</td>
                  <td>{number(bucket.count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <p class="hint">{t("predictions_how")}</p>
    </>
  );
}

const SIDE = 240;
const LEFT = 52;
const TOP = 12;
const BELOW = 48;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** The reliability curve; the table beside it says the same. It is read from left to right in every language. */
function Curve({ buckets }: { buckets: Calibration["buckets"] }) {
  const x = (share: number) => LEFT + SIDE * share;
  const y = (share: number) => TOP + SIDE * (1 - share);
  const most = Math.max(...buckets.map((bucket) => bucket.count));
  const points = buckets.map((bucket) => ({ ...bucket, at: [x(bucket.mean_predicted), y(bucket.share_correct)] as const }));
  const height = TOP + SIDE + BELOW;
  return (
    <svg class="curve" viewBox={`0 0 ${LEFT + SIDE + 24} ${height}`} role="img" aria-label={`${t("predictions_title")} ${t("predictions_how")}`} direction="ltr">
      {TICKS.map((tick) => (
        <g key={tick}>
          <path class="grid" d={`M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}`} />
          <text x={x(tick)} y={y(0) + 18} text-anchor="middle">
            {percent(tick)}
          </text>
          <text x={x(0) - 7} y={y(tick) + 4} text-anchor="end">
            {percent(tick)}
          </text>
        </g>
      ))}
      <path class="diagonal" d={`M${x(0)} ${y(0)}L${x(1)} ${y(1)}`} />
      <path class="line" d={points.map((point, place) => `${place ? "L" : "M"}${point.at.join(" ")}`).join("")} />
      {points.map((point) => (
        <circle key={point.lower} class="point" cx={point.at[0]} cy={point.at[1]} r={4 + 5 * Math.sqrt(point.count / most)}>
          <title>{`${t("axis_predicted")} ${percent(point.mean_predicted)} · ${t("axis_true")} ${percent(point.share_correct)} · ${t("checks")} ${number(point.count)}`}</title>
        </circle>
      ))}
      <text x={x(0.5)} y={height - 8} text-anchor="middle" lang={language}>
        {t("axis_predicted")}
      </text>
      <text x={14} y={y(0.5)} text-anchor="middle" transform={`rotate(-90 14 ${y(0.5)})`} lang={language}>
        {t("axis_true")}
      </text>
    </svg>
  );
}
