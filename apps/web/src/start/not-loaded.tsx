import { WarningOutlined } from '@ant-design/icons-svg';
import { startText } from '../text/gate/start.ts';
import { FullPage } from '../ui/page/full-page.tsx';
import { PlainButton } from '../ui/plain/plain-button.tsx';
import { PlainIcon } from '../ui/plain/plain-icon.tsx';
import { StatusCard } from '../ui/page/status-card.tsx';

/** The console's files did not arrive: no network, or a newer version has replaced them. */
export function NotLoaded() {
  return (
    <FullPage>
      <StatusCard
        tone="error"
        icon={<PlainIcon of={WarningOutlined} />}
        title={startText.notLoaded}
        description={startText.notLoadedHint}
        actions={
          <PlainButton type="primary" onClick={() => window.location.reload()}>
            {startText.reload}
          </PlainButton>
        }
      />
    </FullPage>
  );
}
