/**
 * The program cache: what is compiled once is kept in memory and on disk. {@link io.frameloom.gpu.cache.ProgramCache}
 * is the way in; {@link io.frameloom.gpu.cache.CacheFolder} manages a folder from outside, whether or not a cache has
 * it open.
 */
@NullMarked
package io.frameloom.gpu.cache;

import org.jspecify.annotations.NullMarked;
