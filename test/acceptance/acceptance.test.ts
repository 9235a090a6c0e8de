import { registerClaims } from './suite.ts';

/** `npm run test:acceptance` tests the whole contract. */
const isWhole = process.env['STEPPE_TEST_TIER'] === 'long';

await registerClaims({ title: 'acceptance', isWhole });
