export { bindInviter, ensureInvitationCode, setInviter } from './bind-inviter.ts';
export { readBindState } from './inviter-store.ts';
