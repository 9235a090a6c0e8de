import type { ComponentChildren } from 'preact';
import { SectorOrder, type SettingsProps, ThresholdFields } from './zones/zone-settings.tsx';
import { ZonesTable } from './zones/zones-table.tsx';

/** The thresholds with the zones that follow from them, and the order of the sectors. */
export function ZonesPanel({ children, ...props }: SettingsProps & { readonly children: ComponentChildren }) {
  const { words } = props;
  return (
    <section class="sheet pad stack zones-panel" aria-labelledby="zones-title">
      <h2 id="zones-title">{words.decides}</h2>
      <div class="zones">
        <ZonesTable {...props} />
        <div class="thresholds">
          <ThresholdFields {...props} />
          <SectorOrder {...props} />
        </div>
      </div>
      {children}
    </section>
  );
}
