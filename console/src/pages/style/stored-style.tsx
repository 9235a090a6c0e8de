import { useRef } from 'preact/hooks';
import type { LoadedLayer } from '../../map/layers/layer-model.ts';
import { fileNameOf, saveBlob } from '../../parts/downloads.ts';
import { useAction } from '../../parts/hooks.ts';
import { may } from '../../service/capabilities.ts';
import { datasetName, shownGroup } from '../../service/graph-words.ts';
import type { Dataset, DatasetGroup } from '../../service/types.ts';
import { writeQml } from '../../style/qml-write.ts';
import type { MadeStyle } from './offer.ts';
import type { StyleWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';
import { type Undrawn, undrawnParts } from '../../../../common/maps/style/undrawn.ts';
import { fetchFromService, refusalOf } from '../../service/fetch.ts';
import { remove as removeStyle } from '../../service/request.ts';

/** The path of a dataset or a group. */
type StyleOwner = `/datasets/${string}` | `/dataset-groups/${string}`;

interface StoredProps {
  readonly dataset: Dataset;
  readonly group: DatasetGroup | undefined;
  readonly layer: LoadedLayer | undefined;
  readonly made: MadeStyle | undefined;
  readonly text: StyleWords;
  readonly locale: MapLocale;
  /** True while a style that would replace a stored one is made. */
  readonly isMaking: boolean;
  readonly onMake: () => void;
  readonly onDrop: () => void;
  /** Result of the last change, until the next choice. */
  readonly message: string;
  readonly onChanged: (message: string) => void;
}

/** The style of a dataset, its own or that of its group, and the actions on it. */
export function StoredStyle(props: StoredProps) {
  const { dataset, group, made, text, locale, message, isMaking, onMake, onDrop, onChanged } = props;
  const isOwn = dataset.sld_storage_key !== null;
  const ofGroup = group !== undefined && group.sld_storage_key !== null ? group : undefined;
  const picker = useRef<HTMLInputElement>(null);
  const name = datasetName(dataset);
  const send = async (owner: StyleOwner, file: File): Promise<void> => {
    const leftOut = await storeStyle(owner, file);
    const isOfGroup = owner.startsWith('/dataset-groups/');
    const parts = leftOut.map((part) => locale.words.undrawn[part]).join(', ');
    const sentences = [
      isOfGroup ? text.savedForGroup : text.saved,
      ...(isOfGroup && isOwn ? [text.ownStays] : []),
      ...(parts === '' ? [] : [locale.words.keptNotDrawn(parts)]),
    ];
    onChanged(sentences.join(' '));
  };
  const fileOfMade = () => new File([made?.sld ?? ''], fileNameOf(name, 'sld'), { type: 'application/xml' });
  const own: StyleOwner = `/datasets/${dataset.id}`;
  const save = useAction(async () => await send(own, fileOfMade()));
  const saveForGroup = useAction(async () => await send(`/dataset-groups/${group?.id ?? ''}`, fileOfMade()));
  const chosen = useRef<File>(undefined);
  const upload = useAction(async () => {
    if (chosen.current !== undefined) await send(own, chosen.current);
  });
  const remove = useAction(async () => {
    await removeStyle('/datasets/{id}/sld/own', { path: { id: dataset.id } });
    onChanged('');
  });
  const mayWrite = may('data:write');
  const failures = [save, saveForGroup, upload, remove].flatMap(({ failure }) => failure ?? []);
  return (
    <section class="sheet pad stack" aria-labelledby="style-now">
      <h2 id="style-now">{text.now}</h2>
      <p>
        {isOwn
          ? text.own(dataset.sld_filename ?? '')
          : ofGroup === undefined
            ? text.none
            : text.ofGroup(shownGroup(ofGroup).name)}
      </p>
      {made !== undefined && <p class="style-unsaved">{text.unsaved}</p>}
      <div class="actions">
        {made !== undefined && mayWrite && (
          <button type="button" class="button primary" disabled={save.isRunning} onClick={save.run}>
            {text.save}
          </button>
        )}
        {made !== undefined && group !== undefined && may('catalog:write') && (
          <button type="button" class="button" disabled={saveForGroup.isRunning} onClick={saveForGroup.run}>
            {text.saveForGroup(shownGroup(group).name)}
          </button>
        )}
        {isMaking && (
          <button type="button" class="button" onClick={onDrop}>
            {text.drop}
          </button>
        )}
        {!isMaking && made === undefined && (isOwn || ofGroup !== undefined) && (
          <button type="button" class="button" onClick={onMake}>
            {text.make}
          </button>
        )}
        {isOwn && made === undefined && mayWrite && (
          <button type="button" class="button" disabled={remove.isRunning} onClick={remove.run}>
            {ofGroup === undefined ? text.removeOwn : text.backToGroup}
          </button>
        )}
        {mayWrite && (
          <button
            type="button"
            class="button"
            disabled={upload.isRunning}
            onClick={() => picker.current?.click()}
          >
            {text.upload}
          </button>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          accept=".sld,.xml"
          aria-label={text.upload}
          onChange={({ currentTarget }) => {
            chosen.current = currentTarget.files?.[0];
            currentTarget.value = '';
            upload.run();
          }}
        />
      </div>
      {made !== undefined && group !== undefined && <p class="small muted">{text.groupHint}</p>}
      {!mayWrite && <p class="small muted">{text.needsRight}</p>}
      <div>
        <p role="status">{made === undefined && message}</p>
        <p class="wrong" role="alert">
          {failures.join(' ')}
        </p>
      </div>
      <Files {...props} />
    </section>
  );
}

function Files({ dataset, layer, made, text }: StoredProps) {
  const name = datasetName(dataset);
  const drawn = layer?.kind === 'raster' && layer.paint.kind === 'values' ? layer.paint : undefined;
  const paint = drawn?.isOfSamples === true ? undefined : drawn;
  const save = (content: string, extension: string) =>
    saveBlob(new Blob([content], { type: 'application/xml' }), fileNameOf(name, extension));
  if (made === undefined && paint === undefined) return null;
  return (
    <div class="small">
      {made !== undefined && (
        <button type="button" class="button quiet" onClick={() => save(made.sld, 'sld')}>
          ↓ {text.sld}
        </button>
      )}
      {layer?.kind === 'raster' && paint !== undefined && (
        <>
          <button
            type="button"
            class="button quiet"
            onClick={() => save(writeQml(paint.colours, { band: paint.band, opacity: layer.opacity }), 'qml')}
          >
            ↓ {text.qml}
          </button>
          <span class="muted">{text.qmlHint}</span>
        </>
      )}
    </div>
  );
}

/** Stores an SLD in place of the previous one. @returns the parts that are not drawn @throws {Refused} */
async function storeStyle(owner: StyleOwner, file: File): Promise<readonly Undrawn[]> {
  const body = new FormData();
  body.append('file', file);
  return await fetchFromService(`${owner}/sld`, { method: 'POST', body }, async (response) => {
    if (!response.ok) throw await refusalOf(response, 'POST');
    const codes = (response.headers.get('x-style-left-out') ?? '').split(',');
    return undrawnParts.filter((part) => codes.includes(part));
  });
}
