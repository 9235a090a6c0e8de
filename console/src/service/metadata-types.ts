// Written by `npm run console-types` from the schemas of the service.
export type DatasetMetadata = {
  readonly dataset_id: string;
  readonly record: string;
  readonly is_complete: boolean;
  readonly fields: {
    readonly organisation: string | null;
    readonly email: string | null;
    readonly licence: string | null;
    readonly topic_category:
      | 'farming'
      | 'biota'
      | 'boundaries'
      | 'climatologyMeteorologyAtmosphere'
      | 'economy'
      | 'elevation'
      | 'environment'
      | 'geoscientificInformation'
      | 'health'
      | 'imageryBaseMapsEarthCover'
      | 'intelligenceMilitary'
      | 'inlandWaters'
      | 'location'
      | 'oceans'
      | 'planningCadastre'
      | 'society'
      | 'structure'
      | 'transportation'
      | 'utilitiesCommunication'
      | null;
    readonly lineage: string | null;
    readonly purpose: string | null;
    readonly scale_denominator: number | null;
    readonly keywords: readonly string[];
  };
  readonly missing: readonly {
    readonly element:
      | 'abstract'
      | 'organisation'
      | 'email'
      | 'licence'
      | 'topic_category'
      | 'lineage'
      | 'extent'
      | 'reference_system'
      | 'period'
      | 'resolution'
      | 'keywords';
    readonly level: 'mandatory' | 'recommended';
    readonly iso: string;
    readonly message: string;
    readonly set_with: {
      readonly method: 'PUT' | 'PATCH';
      readonly path: string;
      readonly field: string;
    } | null;
  }[];
};
