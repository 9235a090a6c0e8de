// Written by `npm run console-types` from the schemas of the service.
import type { DatasetSummary } from './types.ts';
export type LandscapeGaps = {
  readonly is_estimate: boolean;
  readonly unit: 'ha';
  readonly grid_ha: number;
  readonly without_zone_ha: number;
  readonly inputs: readonly {
    readonly group: string;
    readonly dataset_id: string;
    readonly missing_ha: number;
    readonly alone_ha: number;
  }[];
};

export type LandscapeGraph = {
  readonly version: number;
  readonly slots: readonly {
    readonly group: string;
    readonly title: string;
    readonly kind: 'numbers' | 'classes';
    readonly unit: string | null;
    readonly range: readonly [number, number] | null;
    readonly classes: readonly { readonly value: number; readonly label: string }[] | null;
    readonly zero_where_missing: boolean;
    readonly quantity: string;
    readonly source: string;
  }[];
  readonly nodes: readonly {
    readonly code: string;
    readonly stage: number;
    readonly group: string;
    readonly title: string;
    readonly unit: string | null;
    readonly inputs: readonly string[];
    readonly params: readonly string[];
    readonly legend: {
      readonly kind: 'values' | 'ramp';
      readonly entries: readonly { readonly value: number; readonly color: string; readonly label: string }[];
    };
    readonly reading: string;
  }[];
  readonly params: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly minimum: number | null;
    readonly maximum: number | null;
    readonly default: number | readonly number[];
  }[];
  readonly sectors: readonly { readonly number: number; readonly title: string }[];
  readonly catalogue: {
    readonly category: { readonly code: string; readonly name: string; readonly description: string };
    readonly groups: readonly {
      readonly code: string;
      readonly name: string;
      readonly description: string;
    }[];
  };
};

export type LandscapePlan = {
  readonly planned_at: string | null;
  readonly params: LandscapeParams;
  readonly overrides: Readonly<Record<string, string>>;
  readonly from_stage: number | null;
  readonly error: string | null;
  readonly failure?: { readonly code: string; readonly facts: readonly unknown[] };
  readonly missing: readonly string[];
  readonly inputs: readonly {
    readonly group: string;
    readonly dataset: DatasetSummary | null;
    readonly because: 'pinned' | 'only' | 'later_end_date' | 'newer_upload' | 'none';
    readonly waiting: DatasetSummary | null;
    readonly findings?: readonly {
      readonly code:
        | 'no_reference_system'
        | 'picture'
        | 'several_bands'
        | 'no_value'
        | 'out_of_range'
        | 'likely_factor'
        | 'unknown_classes'
        | 'no_overlap'
        | 'little_overlap'
        | 'not_judged';
      readonly severity: 'stops' | 'warns' | 'waits';
      readonly message: string;
      readonly sentence?: { readonly code: string; readonly facts: readonly unknown[] };
    }[];
  }[];
  readonly nodes: readonly {
    readonly node_code: string;
    readonly action: 'compute' | 'reuse';
    readonly reason: 'first' | 'inputs' | 'params' | 'forced' | 'output_gone' | 'algorithm' | 'same' | null;
    readonly inputs: readonly {
      readonly group: string;
      readonly from: string | null;
      readonly to: string | null;
    }[];
    readonly params: readonly {
      readonly name: string;
      readonly from: number | readonly number[];
      readonly to: number | readonly number[];
    }[];
    readonly compared_with: string | null;
    readonly output: string | null;
  }[];
};

type LandscapeParams = {
  readonly window_size: number;
  readonly tie_priority: readonly number[];
  readonly v1_min_s_e12: number;
  readonly v1_min_s_e3: number;
  readonly v2_min_s_e3: number;
  readonly v2_min_s_e4: number;
};

export type LandscapeResult = {
  readonly group: string;
  readonly title: string;
  readonly node: string;
  readonly group_id: string;
  readonly latest: DatasetSummary | null;
  readonly cog_url: string | null;
  readonly sld_url: string | null;
};

export type LandscapeRun = {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly params: LandscapeParams;
  readonly overrides: Readonly<Record<string, string>>;
  readonly from_stage: number | null;
  readonly error: string | null;
  readonly failure?: { readonly code: string; readonly facts: readonly unknown[] };
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly nodes: readonly LandscapeRunNode[] | null;
  readonly blocks?: LandscapeRunBlocks;
  readonly record?: RunRecordSummary;
};

type LandscapeRunNode = {
  readonly id: string;
  readonly run_id: string;
  readonly node_code: string;
  readonly stage: number;
  readonly status: 'pending' | 'running' | 'skipped' | 'succeeded' | 'failed';
  readonly fingerprint: string;
  readonly inputs: readonly LandscapeDatasetRef[] | null;
  readonly outputs: readonly LandscapeDatasetRef[] | null;
  readonly error: string | null;
  readonly failure?: { readonly code: string; readonly facts: readonly unknown[] };
  readonly progress?: number;
  readonly started_at: string | null;
  readonly finished_at: string | null;
};

type LandscapeDatasetRef = { readonly group: string; readonly dataset_id: string };

type LandscapeRunBlocks = {
  readonly done: number;
  readonly total: number;
  readonly engine_away_since: string | null;
};

type RunRecordSummary = {
  readonly name: string | null;
  readonly state: 'draft' | 'proposed' | 'adopted' | 'withdrawn';
  readonly restyled?: readonly string[];
};

export type LandscapeSlot = {
  readonly code: string;
  readonly title: string;
  readonly group_id: string;
  readonly latest: DatasetSummary | null;
};

export type LandscapeWatch = {
  readonly on: 'input' | null;
  readonly hold: string | null;
  readonly state: 'off' | 'idle' | 'waiting' | 'run_in_progress';
  readonly waiting_until: string | null;
  readonly changed: readonly {
    readonly group: string;
    readonly title: string;
    readonly from: { readonly dataset_id: string; readonly name: string | null } | null;
    readonly to: { readonly dataset_id: string; readonly name: string | null } | null;
  }[];
  readonly outcome: {
    readonly result: 'draft' | 'made_before' | 'same' | 'cannot_begin';
    readonly run_id: string | null;
    readonly error: string | null;
    readonly decided_at: string;
  } | null;
  readonly adopted_run_id: string | null;
  readonly pinned: readonly string[];
  readonly last: {
    readonly run_id: string;
    readonly name: string | null;
    readonly made_at: string;
    readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
    readonly error: string | null;
    readonly failure?: { readonly code: string; readonly facts: readonly unknown[] };
    readonly record_state: 'draft' | 'proposed' | 'adopted' | 'withdrawn';
    readonly changed: readonly {
      readonly group: string;
      readonly title: string;
      readonly from: { readonly dataset_id: string; readonly name: string | null } | null;
      readonly to: { readonly dataset_id: string; readonly name: string | null } | null;
    }[];
    readonly comparison: string | null;
  } | null;
};

export type RunRecord = {
  readonly run_id: string;
  readonly name: string | null;
  readonly note: string | null;
  readonly state: 'draft' | 'proposed' | 'adopted' | 'withdrawn';
  readonly basis: string | null;
  readonly revision: number;
  readonly changed_by: string | null;
  readonly changed_at: string | null;
};

export type RunRecordChange = {
  readonly revision: number;
  readonly from: {
    readonly name: string | null;
    readonly note: string | null;
    readonly state: 'draft' | 'proposed' | 'adopted' | 'withdrawn';
    readonly basis: string | null;
  };
  readonly to: {
    readonly name: string | null;
    readonly note: string | null;
    readonly state: 'draft' | 'proposed' | 'adopted' | 'withdrawn';
    readonly basis: string | null;
  };
  readonly changed_by: string | null;
  readonly changed_at: string;
};
