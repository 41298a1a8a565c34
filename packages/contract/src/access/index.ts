export { type AccessRules, canRunOut, type Denial, denialOf, type Visitor } from './denial-of.ts';
export { proofEndsAtMs, type ShownProof } from './proof-end.ts';
