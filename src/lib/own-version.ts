import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Package = z.object({ version: z.string() });
const path = new URL('../../package.json', import.meta.url);

export const ownVersion: string = Package.parse(JSON.parse(readFileSync(path, 'utf8'))).version;
