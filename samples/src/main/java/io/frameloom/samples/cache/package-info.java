/** The commands that look after the folder of a program cache. */
@NullMarked
package io.frameloom.samples.cache;

import org.jspecify.annotations.NullMarked;
