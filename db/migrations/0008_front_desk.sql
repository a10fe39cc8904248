CREATE TABLE `desk_acts` (
	`network` integer NOT NULL,
	`act` text NOT NULL,
	`account` integer NOT NULL,
	`what` text NOT NULL,
	`voucher` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`network`, `act`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `desk_acts_at` ON `desk_acts` (`network`,`at`);--> statement-breakpoint
ALTER TABLE `voucher_groups` ADD `desk` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `vouchers` ADD `note` text DEFAULT '' NOT NULL;