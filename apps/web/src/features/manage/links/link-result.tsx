import { Alert } from 'antd';
import type { LinkMade } from '@tongtu/contract';
import { linkForOthers } from '../../../address/public-address.ts';
import { linkText } from '../../../text/manage.ts';
import { momentText } from '../../../text/moment-text.ts';
import { OneTimeLink } from '../../../ui/copy/one-time-link.tsx';

type LinkResultProps = { title: string; link: LinkMade };

/** What was made, and the link to hand over unless it was sent by mail. */
export function LinkResult({ title, link }: LinkResultProps) {
  return (
    <>
      <Alert type="success" showIcon title={title} />
      {link.url !== '' && (
        <OneTimeLink
          {...linkForOthers(link.url, window.location.href)}
          label={linkText.link}
          note={linkText.onceUntil(momentText(link.expires_at))}
        />
      )}
    </>
  );
}
