import { fieldErrors } from '../../../api/index.ts';

/** The DNS record by which the owner of a domain takes it over from the user who has it here. */
export type DomainProof = { name: string; value: string };

function readProof(message: string): DomainProof | undefined {
  const [, name, value] = /^([a-z0-9._-]+) TXT (\S+)$/.exec(message) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

/** Found among the messages of `mapping.domain-unproven`; undefined for every other failure. */
export function domainProofOf(error: unknown): DomainProof | undefined {
  return fieldErrors(error)
    .custom_domain?.map(readProof)
    .find((proof) => proof !== undefined);
}

/** A record is shown to be copied, not to be read in a sentence. */
export function isProof(message: string): boolean {
  return readProof(message) !== undefined;
}
