/**
 * The program cache: what is compiled once is kept in memory and on disk. {@link io.frameloom.gpu.cache.ProgramCache} is
 * the way in; {@link io.frameloom.gpu.cache.CacheFolder} looks after a folder that nobody needs to have open.
 */
@NullMarked
package io.frameloom.gpu.cache;

import org.jspecify.annotations.NullMarked;
