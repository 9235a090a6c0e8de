import type { EnginePackage } from '../../src/workflow-engine/engine-package.ts';
import { openEngine } from './engine.ts';
import { examine } from './examine.ts';

export const enginePackage: EnginePackage = { examine, open: openEngine };
