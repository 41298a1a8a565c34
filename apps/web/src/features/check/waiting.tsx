import { SafetyCertificateOutlined } from '@ant-design/icons-svg';
import { HostName } from '../../address/host-name.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { PlainSpinner } from '../../ui/plain/plain-spinner.tsx';
import { StatusCard } from '../../ui/page/status-card.tsx';

export function Waiting({ text, domain }: { text: string; domain: string | undefined }) {
  return (
    <StatusCard
      tone="accent"
      icon={<PlainIcon of={SafetyCertificateOutlined} />}
      title={text}
      description={
        <>
          {domain !== undefined && <HostName host={domain} />}
          <div>
            <PlainSpinner />
          </div>
        </>
      }
    />
  );
}
