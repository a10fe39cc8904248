CREATE TABLE `voucher_devices` (
	`voucher` integer NOT NULL,
	`mac` text NOT NULL,
	`first_at` integer NOT NULL,
	`used_bytes` integer DEFAULT 0 NOT NULL,
	`counted_at` integer,
	PRIMARY KEY(`voucher`, `mac`),
	FOREIGN KEY (`voucher`) REFERENCES `vouchers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `voucher_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`network` integer NOT NULL,
	`name` text NOT NULL,
	`seconds` integer NOT NULL,
	`validity_days` integer NOT NULL,
	`max_devices` integer NOT NULL,
	`byte_limit_mb` integer,
	`bytes_per` text NOT NULL,
	`download_kbps` integer,
	`upload_kbps` integer,
	`reset_days` integer NOT NULL,
	`reset_hour` integer NOT NULL,
	`notes` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `voucher_groups_name` ON `voucher_groups` (`network`,`name`);--> statement-breakpoint
CREATE TABLE `vouchers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`network` integer NOT NULL,
	`voucher_group` integer NOT NULL,
	`digest` text NOT NULL,
	`code` text NOT NULL,
	`created_at` integer NOT NULL,
	`valid_from` integer NOT NULL,
	`first_used_at` integer,
	`used_seconds` integer DEFAULT 0 NOT NULL,
	`used_bytes` integer DEFAULT 0 NOT NULL,
	`counted_at` integer,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`voucher_group`) REFERENCES `voucher_groups`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vouchers_digest` ON `vouchers` (`digest`);--> statement-breakpoint
CREATE INDEX `vouchers_group` ON `vouchers` (`voucher_group`,`id`);