import { SafetyCertificateOutlined } from '@ant-design/icons-svg';
import { shownHost } from '../../shown-host.ts';
import { Mono } from '../../ui/mono.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { PlainSpinner } from '../../ui/plain/plain-spinner.tsx';
import { StatusCard } from '../../ui/status-card.tsx';

export function Waiting({ text, domain }: { text: string; domain: string | undefined }) {
  return (
    <StatusCard
      tone="accent"
      icon={<PlainIcon of={SafetyCertificateOutlined} />}
      title={text}
      description={
        <>
          {domain !== undefined && <Mono>{shownHost(domain)}</Mono>}
          <div>
            <PlainSpinner />
          </div>
        </>
      }
    />
  );
}
