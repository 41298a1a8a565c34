import { ExportOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import type { CloudApp, Device, LanHost, LanService, Mapping } from '@tongtu/contract';
import { appKinds } from '@tongtu/contract/app-kinds';
import { cloudAppsText } from '../../../text/cloud-apps/cloud-apps.ts';
import { lanText } from '../../../text/devices/lan.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import type { DeviceDialog } from '../device-dialog.ts';
import { OpenAppButton } from '../cloud-apps/open-app-button.tsx';
import { visitorUrl } from '../mapping-address.ts';
import styles from './lan.module.css';
import { appKindsOf, appOf, appPrefill, mappingOf, mappingPrefill } from './service-actions.ts';
import { hostName, serviceName } from './shown-hosts.ts';

/** A host, and what its actions need. */
export type HostProps = {
  host: LanHost;
  device: Device;
  apps: readonly CloudApp[];
  takenPrefixes: ReadonlySet<string>;
  onOpen: (dialog: DeviceDialog) => void;
};

type ServiceRowProps = HostProps & { service: LanService };

export function ServiceRow(props: ServiceRowProps) {
  const { host, service } = props;
  const name = serviceName(service);
  return (
    <li
      className={`${styles.service} ${service.is_missing && !host.is_missing ? styles.missing : ''}`}
      aria-label={name}
    >
      <span className={styles.port}>{service.port}</span>
      <span className={styles.serviceWords}>
        <span className={styles.serviceName}>
          {name}
          {service.protocol === 'https' && <Tag>HTTPS</Tag>}
          {service.is_new && !host.is_new && <StateTag tone="good">{lanText.isNew}</StateTag>}
          {service.is_missing && !host.is_missing && <StateTag tone="muted">{lanText.isMissing}</StateTag>}
        </span>
        {service.title !== '' && service.title !== name && (
          <span className={styles.quiet} title={service.title}>
            {service.title}
          </span>
        )}
      </span>
      <Actions {...props} />
    </li>
  );
}

/** The words of a button that its row shows say what it acts on only to those who see the row. */
function Actions(props: ServiceRowProps) {
  const { service, device, host } = props;
  const mapping = mappingOf(device.mappings, host, service);
  return (
    <span className={styles.actions}>
      <AppActions {...props} />
      {mapping === undefined ? <AddMapping {...props} /> : <OpenMapping {...props} mapping={mapping} />}
    </span>
  );
}

function labelOf({ host, service }: ServiceRowProps): string {
  return `${hostName(host)} ${serviceName(service)}`;
}

function AppActions(props: ServiceRowProps) {
  const { host, service, apps, device, onOpen } = props;
  return appKindsOf(service).map((kind) => {
    const app = appOf(apps, host, service, kind);
    if (app !== undefined) return <OpenAppButton key={kind} app={app} icon={<ExportOutlined aria-hidden />} />;
    const { group } = appKinds[kind];
    const prefill = appPrefill(host, service, kind);
    return (
      <Button
        key={kind}
        size="small"
        icon={<PlusOutlined aria-hidden />}
        aria-label={lanText.addAppLabel(cloudAppsText.add[group], labelOf(props))}
        onClick={() => onOpen({ type: 'create-app', device, group, prefill })}
      >
        {cloudAppsText.add[group]}
      </Button>
    );
  });
}

function AddMapping(props: ServiceRowProps) {
  const { host, service, device, takenPrefixes, onOpen } = props;
  const prefill = mappingPrefill(host, service, takenPrefixes);
  return (
    <Button
      size="small"
      icon={<PlusOutlined aria-hidden />}
      aria-label={lanText.addMappingLabel(labelOf(props))}
      onClick={() => onOpen({ type: 'create-mapping', device, prefill, service: service.kind })}
    >
      {lanText.addMapping}
    </Button>
  );
}

function OpenMapping({ mapping, ...props }: ServiceRowProps & { mapping: Mapping }) {
  const isWeb = mapping.kind === 'http' || mapping.kind === 'https';
  if (!isWeb) return <Tag>{lanText.mapped}</Tag>;
  return (
    <Button
      size="small"
      icon={<ExportOutlined aria-hidden />}
      href={visitorUrl(mapping)}
      target="_blank"
      rel="noopener"
      aria-label={lanText.openMappingLabel(labelOf(props))}
    >
      {lanText.openMapping}
    </Button>
  );
}
