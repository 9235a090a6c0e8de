import { readProjectFile } from './project.ts';

/** Lists the environment variables that the service reads, as its configuration has them. */
export function settingNames(): readonly string[] {
  const [, schema = ''] = readProjectFile('src/config.ts').split('\nconst Environment = z.object({\n');
  const names = [...(schema.split('\n});', 1)[0] ?? '').matchAll(/^ {2}([A-Z_]+): /gm)];
  return names.map(([, name = '']) => name);
}
