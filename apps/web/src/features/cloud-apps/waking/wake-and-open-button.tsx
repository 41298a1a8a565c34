import { PoweroffOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import { useNavigate } from 'react-router';
import { wakePath } from '../../../routing/paths.ts';
import { noteWakeIntent } from '../../../routing/wake-intent.ts';
import { appPageText } from '../../../text/cloud-apps/app-page.ts';

/** A host that refuses is on; one that is off answers nothing, or its name is unknown. */
const silent = new Set(['timed-out', 'not-found', 'lost']);

/** Whether a session that ended for this reason may have found its host switched off. */
export function mayBeOff(reason: string | undefined): boolean {
  return reason !== undefined && silent.has(reason);
}

/** Leads to the page that wakes the host at once, and then shows the app again. Nothing for a host that cannot be woken. */
export function WakeAndOpenButton({ app, size }: { app: CloudApp; size?: 'small' }) {
  const navigate = useNavigate();
  if (app.options.mac === '') return null;

  function wake() {
    noteWakeIntent(app.id);
    void navigate(wakePath(app.id));
  }
  return (
    <Button {...(size && { size })} icon={<PoweroffOutlined aria-hidden />} onClick={wake}>
      {appPageText.wakeAndOpen}
    </Button>
  );
}
