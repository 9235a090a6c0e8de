import { floatNoData } from '../../model/bands.ts';

interface Climate {
  /** mm/yr */
  readonly precipitation: Float32Array;
  /** mm/yr, above 0 */
  readonly evapotranspiration: Float32Array;
}

/** Aridity index P / PET of UNEP: hyper-arid below 0.05, arid 0.20, semi-arid 0.50, dry sub-humid 0.65. */
export function computeAridity({ precipitation, evapotranspiration }: Climate, aridity: Float32Array): void {
  for (let i = 0; i < aridity.length; i++) {
    const rain = precipitation[i] ?? floatNoData;
    const demand = evapotranspiration[i] ?? floatNoData;
    aridity[i] = rain === floatNoData || demand === floatNoData ? floatNoData : rain / demand;
  }
}
