import { fieldErrors } from '../../../api/index.ts';

/** The DNS record with which the owner of a domain takes it over from another user of this installation. */
export type DomainProof = { name: string; value: string };

function readProof(message: string): DomainProof | undefined {
  const [, name, value] = /^([a-z0-9._-]+) TXT (\S+)$/.exec(message) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

/** Reads it from the messages of `mapping.domain-unproven`; undefined for every other error. */
export function domainProofOf(error: unknown): DomainProof | undefined {
  return fieldErrors(error)
    .custom_domain?.map(readProof)
    .find((proof) => proof !== undefined);
}

/** The record is shown separately for copying, so it is removed from the sentence. */
export function isProof(message: string): boolean {
  return readProof(message) !== undefined;
}
