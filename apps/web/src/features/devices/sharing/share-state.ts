import type { ShareLink } from '@tongtu/contract';

/** Whether a link still lets anybody in, or why it does not. */
export function shareStateOf(link: ShareLink, nowMs: number): 'active' | 'expired' | 'used_up' | 'revoked' {
  if (link.revoked_at !== null) return 'revoked';
  if (Date.parse(link.expires_at) <= nowMs) return 'expired';
  return link.max_uses !== null && link.uses >= link.max_uses ? 'used_up' : 'active';
}
