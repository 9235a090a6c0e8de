import { replaceQuery } from '../../address/address.ts';
import { readShown, type ShownMap, type Side, writeShown } from './compare-address.ts';
import type { CompareWords } from './words/words.ts';
import type { LandscapeGraph, LandscapeRun } from '../../service/types.ts';

/** An output or an input of a run. */
export interface RunMap {
  /** The code of a node, or the group of a slot. */
  readonly key: string;
  readonly title: string;
  readonly datasetId: string;
  readonly isInput: boolean;
}

type Maps = Readonly<Record<Side, readonly RunMap[]>>;

/** Lists the maps of each run: its outputs, the last first, then its inputs. */
export function mapsOf(runs: Readonly<Record<Side, LandscapeRun>>, graph: LandscapeGraph): Maps {
  return { a: mapsOfRun(runs.a, graph), b: mapsOfRun(runs.b, graph) };
}

function mapsOfRun({ nodes }: LandscapeRun, graph: LandscapeGraph): readonly RunMap[] {
  const read = new Map(
    (nodes ?? []).flatMap(({ inputs }) => inputs ?? []).map(({ group, dataset_id: id }) => [group, id]),
  );
  const made = graph.nodes.toReversed().flatMap(({ code, title }) => {
    const id = nodes?.find(({ node_code: own }) => own === code)?.outputs?.[0]?.dataset_id;
    return id === undefined ? [] : [{ key: code, title, datasetId: id, isInput: false }];
  });
  const inputs = graph.slots.flatMap(({ group, title }) => {
    const id = read.get(group);
    return id === undefined ? [] : [{ key: group, title, datasetId: id, isInput: true }];
  });
  return [...made, ...inputs];
}

interface ChoiceProps {
  readonly label: string;
  readonly name: 'left' | 'right';
  readonly value: ShownMap;
  readonly maps: Maps;
  readonly words: CompareWords;
}

/** Chooses the map on one side of the divider, among all maps of both runs. */
export function LayerChoice({ label, name, value, maps, words: { view, letter } }: ChoiceProps) {
  const chosen = writeShown(value);
  const groups = (['a', 'b'] as const).flatMap((side) =>
    [false, true].map((isInput) => ({
      label: isInput ? view.inputsOf[side] : view.layersOf[side],
      maps: maps[side].filter((map) => map.isInput === isInput).map((map) => ({ ...map, side })),
    })),
  );
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={chosen}
        onChange={({ currentTarget: { value: text } }) => {
          const shown = readShown(text);
          if (shown !== undefined) replaceQuery({ [name]: writeShown(shown) });
        }}
      >
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.maps.map(({ side, key, title }) => {
              const text = writeShown({ side, key });
              return (
                <option key={text} value={text} selected={text === chosen}>
                  {/* A closed list does not show the heading of its group. */}
                  {`${letter[side]}: ${title}`}
                </option>
              );
            })}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
