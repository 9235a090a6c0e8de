import { xmlText } from '../../common/xml-text.ts';
import { metadataPhrases as phrases } from '../messages/standards/english.ts';
import type { Message } from '../lib/message.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import type { RecordFacts } from './facts.ts';
import { downloadsOf } from './downloads.ts';

const codeLists = 'http://standards.iso.org/iso/19139/resources/gmxCodelists.xml';
const languageCodes: Readonly<Record<Language, string>> = { en: 'eng', ru: 'rus', kk: 'kaz' };
/** URNs of units in the EPSG registry. */
const units = { m: 'urn:ogc:def:uom:EPSG::9001', deg: 'urn:ogc:def:uom:EPSG::9102' } as const;
/** Limit for the length of WKT, which is otherwise unbounded. */
const maxCrsCharacters = 4000;

/** Returns an element with children; undefined children are left out. */
function tag(name: string, ...inner: readonly (string | undefined)[]): string {
  return `<gmd:${name}>${inner.filter((part) => part !== undefined).join('')}</gmd:${name}>`;
}
/** Returns an element with a text, or with the reason why it is missing. */
const words = (name: string, text: string | null) =>
  text === null || text === ''
    ? `<gmd:${name} gco:nilReason="missing"/>`
    : tag(name, `<gco:CharacterString>${xmlText(text)}</gco:CharacterString>`);
const code = (list: string, value: string) =>
  `<gmd:${list} codeList="${codeLists}#${list}" codeListValue="${value}">${value}</gmd:${list}>`;
const day = (date: Date | string) =>
  `<gco:Date>${(typeof date === 'string' ? date : date.toISOString()).slice(0, 10)}</gco:Date>`;
const decimal = (name: string, value: number) => tag(name, `<gco:Decimal>${plain(value)}</gco:Decimal>`);

/** Formats a number without an exponent, which `xs:decimal` does not allow. */
function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(12) : text;
}

/**
 * Writes the record of a dataset according to ISO 19139 (`gmd`, edition of 2007), which catalogues harvest. Unknown elements are marked
 * as missing, so that the record stays valid.
 * @param base the address of the service, without a trailing slash
 */
export function isoRecord(facts: RecordFacts, base: string, language: Language): string {
  const { dataset, group, changedAt } = facts;
  const contact = (name: string, role: string) => tag(name, responsible(facts, role));
  return `<?xml version="1.0" encoding="UTF-8"?>
<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
${[
  words('fileIdentifier', dataset.id),
  tag('language', code('LanguageCode', languageCodes[language])),
  tag('characterSet', code('MD_CharacterSetCode', 'utf8')),
  group === null ? undefined : words('parentIdentifier', group.id),
  tag('hierarchyLevel', code('MD_ScopeCode', 'dataset')),
  contact('contact', 'pointOfContact'),
  tag('dateStamp', day(changedAt)),
  words('metadataStandardName', 'ISO 19115:2003/19139'),
  words('metadataStandardVersion', '1.0'),
  words('dataSetURI', `${base}/datasets/${dataset.id}`),
  gridOf(facts),
  referenceSystem(facts),
  tag(
    'identificationInfo',
    identification(facts, { base, language, contact: contact('pointOfContact', 'owner') }),
  ),
  tag('distributionInfo', distribution(facts, base, language)),
  tag('dataQualityInfo', quality(facts, language)),
]
  .filter((part) => part !== undefined)
  .join('\n')}
</gmd:MD_Metadata>
`;
}

function responsible({ organisation, email }: RecordFacts, role: string): string {
  const address = tag('address', tag('CI_Address', words('electronicMailAddress', email)));
  return tag(
    'CI_ResponsibleParty',
    words('organisationName', organisation),
    email === null ? undefined : tag('contactInfo', tag('CI_Contact', address)),
    tag('role', code('CI_RoleCode', role)),
  );
}

function gridOf({ grid }: RecordFacts): string | undefined {
  if (grid === null) return undefined;
  const { columns, rows, resolution } = grid;
  const dimension = (name: string, size: number) =>
    tag(
      'axisDimensionProperties',
      tag(
        'MD_Dimension',
        tag('dimensionName', code('MD_DimensionNameTypeCode', name)),
        tag('dimensionSize', `<gco:Integer>${size}</gco:Integer>`),
        resolution === null
          ? undefined
          : tag(
              'resolution',
              `<gco:Measure uom="${units[resolution.unit]}">${resolution.size}</gco:Measure>`,
            ),
      ),
    );
  return tag(
    'spatialRepresentationInfo',
    tag(
      'MD_GridSpatialRepresentation',
      tag('numberOfDimensions', '<gco:Integer>2</gco:Integer>'),
      dimension('row', rows),
      dimension('column', columns),
      tag('cellGeometry', code('MD_CellGeometryCode', 'area')),
      tag('transformationParameterAvailability', '<gco:Boolean>false</gco:Boolean>'),
    ),
  );
}

function referenceSystem({ crs }: RecordFacts): string | undefined {
  if (crs === null) return undefined;
  const number = /^EPSG:(\d+)$/.exec(crs)?.[1];
  const identifier =
    number === undefined
      ? words('code', crs.slice(0, maxCrsCharacters))
      : [words('code', `http://www.opengis.net/def/crs/EPSG/0/${number}`), words('codeSpace', 'EPSG')].join(
          '',
        );
  return tag(
    'referenceSystemInfo',
    tag('MD_ReferenceSystem', tag('referenceSystemIdentifier', tag('RS_Identifier', identifier))),
  );
}

interface Around {
  readonly base: string;
  readonly language: Language;
  /** The element with the responsible organisation. */
  readonly contact: string;
}

function identification(facts: RecordFacts, { base, language, contact }: Around): string {
  const { dataset, abstract, category, licence, fields, made } = facts;
  const date = (at: Date, kind: string) =>
    tag('date', tag('CI_Date', tag('date', day(at)), tag('dateType', code('CI_DateTypeCode', kind))));
  const isGrid = dataset.file_type === 'raster';
  const topic = fields.topic_category ?? (made === null ? null : 'planningCadastre');
  const keywords = [category.name, ...fields.keywords].filter((word) => word.trim() !== '');
  return tag(
    'MD_DataIdentification',
    tag(
      'citation',
      tag(
        'CI_Citation',
        words('title', dataset.name),
        date(dataset.created_at, 'creation'),
        date(dataset.updated_at, 'revision'),
        tag('identifier', tag('MD_Identifier', words('code', `${base}/datasets/${dataset.id}`))),
      ),
    ),
    words('abstract', abstract),
    fields.purpose === null ? undefined : words('purpose', fields.purpose),
    contact,
    tag(
      'graphicOverview',
      tag('MD_BrowseGraphic', words('fileName', `${base}/datasets/${dataset.id}/thumbnail.png`)),
    ),
    keywords.length === 0
      ? undefined
      : tag('descriptiveKeywords', tag('MD_Keywords', ...keywords.map((word) => words('keyword', word)))),
    tag(
      'resourceConstraints',
      tag(
        'MD_LegalConstraints',
        tag('useConstraints', code('MD_RestrictionCode', 'otherRestrictions')),
        words('otherConstraints', licence),
      ),
    ),
    tag('spatialRepresentationType', code('MD_SpatialRepresentationTypeCode', isGrid ? 'grid' : 'vector')),
    resolution(facts),
    // Pixel values have no language; the language of texts in other data is unknown.
    tag('language', code('LanguageCode', isGrid ? 'zxx' : 'und')),
    tag('characterSet', code('MD_CharacterSetCode', 'utf8')),
    topic === null
      ? undefined
      : tag('topicCategory', `<gmd:MD_TopicCategoryCode>${topic}</gmd:MD_TopicCategoryCode>`),
    extent(facts),
    dataset.unit === null || dataset.unit === ''
      ? undefined
      : words('supplementalInformation', translate(phrases.unit(dataset.unit), language)),
  );
}

function resolution({ grid, fields }: RecordFacts): string | undefined {
  const pixel = grid?.resolution ?? null;
  if (fields.scale_denominator !== null) {
    const denominator = tag('denominator', `<gco:Integer>${fields.scale_denominator}</gco:Integer>`);
    const scale = tag('equivalentScale', tag('MD_RepresentativeFraction', denominator));
    return tag('spatialResolution', tag('MD_Resolution', scale));
  }
  if (pixel === null) return undefined;
  const distance = `<gco:Distance uom="${units[pixel.unit]}">${pixel.size}</gco:Distance>`;
  return tag('spatialResolution', tag('MD_Resolution', tag('distance', distance)));
}

function extent({ box, dataset }: RecordFacts): string | undefined {
  const { start_date: start, end_date: end } = dataset;
  const parts: string[] = [];
  if (box !== null) {
    const [west, south, east, north] = box;
    const sides = [
      decimal('westBoundLongitude', west),
      decimal('eastBoundLongitude', east),
      decimal('southBoundLatitude', south),
      decimal('northBoundLatitude', north),
    ];
    parts.push(tag('geographicElement', tag('EX_GeographicBoundingBox', ...sides)));
  }
  if (start !== null || end !== null) {
    const position = (name: string, date: string | null) =>
      date === null ? `<gml:${name} indeterminatePosition="unknown"/>` : `<gml:${name}>${date}</gml:${name}>`;
    const period = `<gml:TimePeriod gml:id="period">${position('beginPosition', start)}${position('endPosition', end)}</gml:TimePeriod>`;
    parts.push(tag('temporalElement', tag('EX_TemporalExtent', tag('extent', period))));
  }
  return parts.length === 0 ? undefined : tag('extent', tag('EX_Extent', ...parts));
}

function distribution({ dataset, hasFeatures }: RecordFacts, base: string, language: Language): string {
  const downloads = downloadsOf(dataset, hasFeatures);
  const formats = [...new Set(downloads.map(({ format }) => format))];
  const line = (path: string, protocol: string, name: Message, role: string) =>
    tag(
      'onLine',
      tag(
        'CI_OnlineResource',
        tag('linkage', `<gmd:URL>${xmlText(`${base}${path}`)}</gmd:URL>`),
        words('protocol', protocol),
        words('name', translate(name, language)),
        tag('function', code('CI_OnLineFunctionCode', role)),
      ),
    );
  return tag(
    'MD_Distribution',
    ...formats.map((format) =>
      tag(
        'distributionFormat',
        tag('MD_Format', words('name', format), '<gmd:version gco:nilReason="inapplicable"/>'),
      ),
    ),
    tag(
      'transferOptions',
      tag(
        'MD_DigitalTransferOptions',
        ...downloads.map(({ path, name, protocol, role }) => line(path, protocol, name, role)),
        line(`/#/datasets/${dataset.id}`, 'WWW:LINK-1.0-http--link', phrases.page, 'information'),
      ),
    ),
  );
}

function quality({ fields, made, sources, warning }: RecordFacts, language: Language): string {
  const own = (fields.lineage ?? '').trim();
  const ofRun = made && translate(phrases.lineageOfRun(made.title, made.node, made.runId), language);
  const text = own === '' ? ofRun : own;
  const statement = warning === null ? text : [`${warning}.`, text ?? ''].join(' ').trim();
  return tag(
    'DQ_DataQuality',
    tag('scope', tag('DQ_Scope', tag('level', code('MD_ScopeCode', 'dataset')))),
    tag(
      'lineage',
      tag(
        'LI_Lineage',
        words('statement', statement),
        ...sources.map(({ name, sha256 }) => {
          const text = sha256 === null ? name : `${name}, SHA-256 ${sha256}`;
          return tag('source', tag('LI_Source', words('description', text)));
        }),
      ),
    ),
  );
}
