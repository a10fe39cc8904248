CREATE TABLE `pushed_documents` (
	`document` text NOT NULL,
	`revision` integer NOT NULL,
	`network` integer NOT NULL,
	`row` text NOT NULL,
	`assign` text NOT NULL,
	PRIMARY KEY(`document`, `revision`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pushed_documents_network` ON `pushed_documents` (`network`);--> statement-breakpoint
ALTER TABLE `deployments` ADD `documents` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `deployments` ADD `restores` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `deployments` ADD `accepts` text DEFAULT '[]' NOT NULL;