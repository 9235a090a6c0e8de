import type { Cell } from '../../../../common/landscape/cells.ts';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { nameIn } from '../../map/units/unit-names.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { may } from '../../service/capabilities.ts';
import { settingsHref, type RunRequest } from '../../service/run-request.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { SectorOrder, ThresholdFields } from '../inputs/zones/zone-settings.tsx';
import { ZonesTable } from '../inputs/zones/zones-table.tsx';
import { type JudgedLand, pairsOf } from './model.ts';
import { inputsWords } from '../inputs/words/words.ts';
import type { JudgeWords } from './words/words.ts';
import type { LandscapeGraph, LandscapeRun } from '../../service/types.ts';

interface SettingsSectionProps {
  readonly run: LandscapeRun;
  /** The graph with the parameters of the run as defaults. */
  readonly graph: LandscapeGraph;
  /** The graph with its own defaults. */
  readonly defaultGraph: LandscapeGraph;
  /** The settings that differ from those of the run. */
  readonly request: RunRequest;
  readonly onChange: (request: RunRequest) => void;
  readonly counted: readonly Cell[];
  /** The unit whose hectares are in the table. */
  readonly place: JudgedLand;
  readonly total: JudgedLand;
  readonly words: JudgeWords;
}

/** From this area of a cell, in hectares, the table is in thousands. */
const manyHectares = 100_000;

/** Thresholds and order with their table, and their effect. */
export function SettingsSection(props: SettingsSectionProps) {
  const { run, graph, defaultGraph, request, onChange, counted, place, total, words } = props;
  const isMoved = Object.keys(request.params).length > 0;
  const hectares = pairsOf(counted, place.land);
  const classes = [1, 2, 3, 4, 5];
  const name = place.unit === undefined ? words.everywhere : nameIn(place.unit, language());
  const isInThousands = classes.some((s) => classes.some((e) => hectares(s, e) >= manyHectares));
  const write = (s: number, e: number): string => {
    const own = hectares(s, e);
    if (own === 0) return '–';
    return isInThousands ? formatThousands(own) : formatHectares(own, language());
  };
  const texts = {
    ...inputsWords(),
    table: isInThousands ? words.tableInThousands(name) : words.tableOf(name),
    notAsUsual: words.notAsInRun,
    underlined: words.underlined,
  };
  const params = { ...run.params, ...request.params };
  const settings = { graph, request, onChange, words: texts };
  return (
    <section class="sheet pad judge-settings" aria-labelledby="settings-title">
      <h2 id="settings-title">{words.settings}</h2>
      <div class="zones">
        <ZonesTable graph={graph} request={request} words={texts} hectares={write} />
        <div class="thresholds">
          <ThresholdFields {...settings} />
          <SectorOrder {...settings} />
        </div>
      </div>
      <p class="judge-moved" role="status">
        {isMoved ? movedText(total, words) : words.asInRun}
      </p>
      <div class="actions">
        {may('landscape:run') && (
          <a
            class="button primary"
            href={settingsHref({ params, overrides: run.overrides, from_stage: null }, defaultGraph)}
          >
            {words.runThese}
          </a>
        )}
        {isMoved && (
          <button type="button" class="button" onClick={() => onChange({ ...request, params: {} })}>
            {words.back}
          </button>
        )}
      </div>
    </section>
  );
}

function movedText({ changed, zoned }: JudgedLand, words: JudgeWords): string {
  if (changed === 0) return words.changesNothing;
  return words.changes(formatHectares(changed, language()), formatShare(changed / zoned, language()));
}

/** Writes thousands of hectares: with one decimal below 100,000 ha, whole above. */
function formatThousands(hectares: number): string {
  if (hectares < 50) return `< ${formatNumber(0.1, language(), 1)}`;
  return formatNumber(hectares / 1000, language(), hectares < 99_950 ? 1 : 0);
}
