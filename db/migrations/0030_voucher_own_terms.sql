ALTER TABLE `vouchers` ADD `added_seconds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `vouchers` ADD `download_kbps` integer;--> statement-breakpoint
ALTER TABLE `vouchers` ADD `upload_kbps` integer;