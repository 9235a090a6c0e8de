import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Definitions, Schema } from './document.ts';

/**
 * Lists the rules of a schema that a value breaks, each with its place; none when it conforms. The service makes its
 * description with zod, so zod is not asked whether the service keeps to it.
 */
export function violations(schema: Schema, value: unknown, definitions: Definitions): string[] {
  const validate = validatorOf(schema, definitions);
  return validate(value) ? [] : (validate.errors ?? []).map(describe);
}

const ajv = new Ajv2020({ allErrors: true, ownProperties: true, strictTypes: false, strictTuples: false });
addFormats.default(ajv, ['date', 'date-time']);
ajv
  .addVocabulary(['components', 'example'])
  .addFormat('binary', true)
  .addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);

const validators = new WeakMap<Definitions, WeakMap<Schema, ValidateFunction>>();

/** References in a schema lead to the `components` that are put beside it. */
function validatorOf(schema: Schema, definitions: Definitions): ValidateFunction {
  const known = validators.get(definitions) ?? new WeakMap<Schema, ValidateFunction>();
  validators.set(definitions, known);
  const validate = known.get(schema) ?? ajv.compile({ ...schema, components: { schemas: definitions } });
  known.set(schema, validate);
  return validate;
}

function describe({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath === '' ? 'the value' : instancePath} ${message} ${JSON.stringify(params)}`;
}
