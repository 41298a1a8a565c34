import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { bannersText } from '../../../text/community.ts';
import { BannerCard } from '../../../ui/site-entries/banner-card.tsx';
import styles from '../devices.module.css';
import { useShownBanners } from './use-shown-banners.ts';

/** What staff show above the devices, until it is dismissed in this browser. */
export function Banners() {
  const { banners, dismiss } = useShownBanners();
  if (banners.length === 0) return null;
  return (
    <section className={styles.banners} aria-label={bannersText.title}>
      {banners.map((banner) => (
        <BannerCard
          key={banner.id}
          title={banner.title}
          image={banner.image}
          url={banner.url}
          action={
            <Button
              type="text"
              icon={<CloseOutlined aria-hidden />}
              aria-label={bannersText.dismissLabel(banner.title)}
              onClick={() => dismiss(banner)}
            />
          }
        />
      ))}
    </section>
  );
}
