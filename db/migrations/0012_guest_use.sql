CREATE TABLE `guest_use` (
	`network` integer NOT NULL,
	`mac` text NOT NULL,
	`day` integer NOT NULL,
	`method` integer NOT NULL,
	`ms` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`network`, `mac`, `day`, `method`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `guest_use_day` ON `guest_use` (`day`);