import { classNoData, floatNoData } from '../../model/bands.ts';
import { best, good, middling, poor, values, worst } from '../../model/palettes.ts';
import { extremes } from '../../model/explanation.ts';
import { classNode } from '../../model/node.ts';
import { landCover, protectedAreas, soilSalinity } from '../../model/leaves.ts';
import { rate } from '../../model/rating.ts';
import { allocable, allocableLand } from './land.ts';
import { ratings } from './lookups.ts';
import { soilLoss } from './soil-loss.ts';
import { climateQuality, soilQuality, vegetationQuality } from './quality.ts';

const tables = {
  desertification: ratings['e-desertification'],
  soilLoss: ratings['e-soil-loss'],
  soilSalinity: ratings['e-salinity'],
};
/** The desertification index of three qualities. */
const desertification = (soil: number, climate: number, vegetation: number) =>
  Math.cbrt(soil * climate * vegetation);

/** The minimum of E where use is regulated, and its exact value where protection is strict or land is wet. */
const leastWhereRegulated = 4;
const whereProtected = 5;

const regulatedUse = 1;
const strictProtection = 2;
const wetland = 90;

export const sensitivity = classNode({
  name: '26-sensitivity',
  title: 'Ecological sensitivity E',
  formula:
    'The greatest of the ratings of desertification, soil loss and salinity, from 1 to 5, on allocable land. Desertification is ' +
    '`∛(soil quality × climate quality × vegetation quality)`. Regulated use (class 1 of the protected areas) makes it 4 at least, ' +
    'strict protection (class 2) and wetland 5.',
  source:
    'Desertification: three indices of DISMED with the classes of OSS. Soil loss: classes of NRCS. Salinity: classes of USDA. ' +
    'Protected areas and wetland: our own choice.',
  reading:
    '1 means that land tolerates use well, and 5 badly: the greatest of three dangers decides, desertification, soil loss and salinity; regulated use makes it 4 at least, strict protection and wetland 5. ' +
    'The rating ignores rare species, pollution and floods: do not use a low class instead of an environmental impact assessment.',
  inputs: {
    landCover,
    protectedAreas,
    soilSalinity,
    allocable,
    soilQuality,
    climateQuality,
    vegetationQuality,
    soilLoss,
  },
  tables,
  explain: {
    quantities: [
      {
        name: 'desertification',
        bands: [soilQuality.output, climateQuality.output, vegetationQuality.output],
        value(valueOf) {
          const [soil, climate, vegetation] = [soilQuality, climateQuality, vegetationQuality].map(
            (quality) => valueOf(quality.output),
          );
          if (soil === undefined || climate === undefined || vegetation === undefined) return undefined;
          return desertification(soil, climate, vegetation);
        },
        table: tables.desertification,
      },
    ],
    decide(rated, valueOf) {
      const [protection, land] = [valueOf(protectedAreas) ?? 0, valueOf(landCover)];
      const fixed = [
        ...(protection === strictProtection ? ['strict-protection'] : []),
        ...(land === wetland ? ['wetland'] : []),
      ];
      if (fixed.length > 0) return { rule: 'floor', by: fixed, value: whereProtected };
      const greatest = Math.max(...rated.flatMap(({ rating }) => rating ?? []));
      const regulated = protection === regulatedUse ? ['regulated-use'] : [];
      if (regulated.length > 0 && greatest <= leastWhereRegulated) {
        const by = greatest < leastWhereRegulated ? [] : extremes(rated, 'greatest');
        return { rule: 'floor', by: [...regulated, ...by], value: leastWhereRegulated };
      }
      return { rule: 'greatest_rating', by: extremes(rated, 'greatest'), value: greatest };
    },
  },
  legend: values([
    [1, best, 'Very low'],
    [2, good, 'Low'],
    [3, middling, 'Medium'],
    [4, poor, 'High'],
    [5, worst, 'Very high'],
  ]),
  compute(inputs, output) {
    for (let i = 0; i < output.length; i++) {
      const land = inputs.landCover[i] ?? classNoData;
      const salt = inputs.soilSalinity[i] ?? floatNoData;
      const soil = inputs.soilQuality[i] ?? floatNoData;
      const climate = inputs.climateQuality[i] ?? floatNoData;
      const vegetation = inputs.vegetationQuality[i] ?? floatNoData;
      const loss = inputs.soilLoss[i] ?? floatNoData;
      if (
        inputs.allocable[i] !== allocableLand ||
        land === classNoData ||
        salt === floatNoData ||
        soil === floatNoData ||
        climate === floatNoData ||
        vegetation === floatNoData ||
        loss === floatNoData
      ) {
        output[i] = classNoData;
        continue;
      }
      const protection = inputs.protectedAreas[i] ?? 0;
      if (protection === strictProtection || land === wetland) {
        output[i] = whereProtected;
        continue;
      }
      output[i] = Math.max(
        rate(tables.desertification, desertification(soil, climate, vegetation)),
        rate(tables.soilLoss, loss),
        rate(tables.soilSalinity, salt),
        protection === regulatedUse ? leastWhereRegulated : 1,
      );
    }
  },
});
