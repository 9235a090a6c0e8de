import type { Generated, GeneratedAlways } from 'kysely';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import type { CalendarDate, Result, Timestamp } from './columns.ts';

/** Administrative units, and values by unit. */
export interface UnitTables {
  districts: {
    kato_code: string;
    level: UnitLevel;
    name: string;
    name_kk: string | null;
    name_en: string | null;
    geometry: string;
    valid_from: Generated<CalendarDate>;
    valid_to: Generated<CalendarDate>;
  };
  /** See migration 0034. */
  former_districts: {
    kato_code: string;
    valid_to: string;
    valid_from: CalendarDate;
    level: UnitLevel;
    name: string;
    name_kk: string | null;
    name_en: string | null;
    geometry: string | null;
  };
  district_changes: {
    position: number;
    from_code: string;
    to_code: string | null;
    to_name: string | null;
    kind: 'recode' | 'rename' | 'split' | 'merge' | 'border';
    date: string;
    share_area: number | null;
    act: string;
  };
  districts_version: { version: number; history: Generated<number> };
  observation_sets: {
    id: GeneratedAlways<number>;
    dataset_id: string;
    job_id: string;
    attempt: number;
    created_at: Timestamp;
  };
  observations: {
    set_id: number;
    id: string;
    kato_code: string;
    start_date: string;
    end_date: CalendarDate;
    value: number | null;
    value_text: string | null;
    /** See migration 0058. */
    remark: string | null;
    mapping_order: number;
    row_number: number;
  };
  /** See migration 0036. */
  dataset_denominators: {
    dataset_id: string;
    kind: 'area' | 'dataset';
    denominator_id: string | null;
    per: number;
    changed_at: Timestamp;
  };
  /** See migration 0026. */
  area_counts: Result & {
    state: Generated<'pending' | 'counted' | 'failed'>;
    cogs: string[];
    units: string | null;
    districts_version: number | null;
    max_classes: number;
    of: Generated<'classes' | 'values'>;
    figures: Generated<string | null>;
  };
  /** See migration 0029. */
  zonal_tables: {
    group_id: string;
    id: string;
    dataset_id: string | null;
    category_id: string | null;
    name: string | null;
    by_level: UnitLevel | 'all';
    stats: string[];
    min_valid_share: number;
    values_are: 'density' | 'count';
    wanted: Generated<number>;
    tried: Generated<number>;
    made: Generated<number>;
    districts_version: number | null;
    rasters: Generated<string[]>;
    digest: string | null;
    made_at: Date | null;
    failure: string | null;
  };
}
