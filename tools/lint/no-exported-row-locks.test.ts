import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { noExportedRowLocks } from './no-exported-row-locks.ts';

RuleTester.describe = describe;
RuleTester.it = test;

const filename = '/src/features/mappings/index.ts';
const exported = { filename, errors: [{ messageId: 'exported' }] };

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run(
  'no-exported-row-locks',
  noExportedRowLocks,
  {
    valid: [
      { filename, code: `export { findMapping, type MappingRow } from './mapping-store.ts';` },
      { filename, code: `export { keepCertificates } from './keep-certificates.ts';` },
      { filename, code: `export { insertion } from './mapping-store.ts';` },
      { filename: '/src/features/mappings/add-mapping.ts', code: `export { lockDevice } from './mapping-store.ts';` },
    ],
    invalid: [
      { code: `export { findMapping, lockMapping } from './mapping-store.ts';`, ...exported },
      { code: `export { insertMapping as addMapping } from './mapping-store.ts';`, ...exported },
      { code: `export { findMappingForShare } from './mapping-store.ts';`, ...exported },
      { code: `export { findMappingForKeyShare } from './mapping-store.ts';`, ...exported },
    ],
  },
);
