package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.resource.Format;
import io.frameloom.stress.gpu.frames.GraphShape.Box;
import io.frameloom.stress.gpu.frames.GraphShape.Chunks;
import io.frameloom.stress.gpu.frames.GraphShape.Life;
import io.frameloom.stress.gpu.frames.GraphShape.Resource;
import io.frameloom.stress.gpu.frames.GraphShape.Step;
import io.frameloom.stress.gpu.frames.GraphShape.Texels;
import io.frameloom.stress.gpu.frames.GraphShape.Words;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Executes graphs one step after the other on arrays of the host: what frames are compared with. Textures lie mip by
 * mip, in each layer by layer, rows tightly packed. One thread.
 */
class HostModel {
    /** What {@link Life#PREVIOUS} holds as long as no frame has kept anything. */
    static final int INITIAL = 0x5eed0001;

    /** Contents of what lives over frames, by number. */
    private final Map<Integer, ByteBuffer> kept = new HashMap<>();

    /** Returns what each {@link GraphShape.ReadBack} of a frame gives, in order. */
    List<ByteBuffer> run(GraphShape shape, int frame) {
        return new Frame(shape, frame).run();
    }

    private static ByteBuffer zeros(long bytes) {
        return ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    }

    static int texelBytes(Format format) {
        return switch (format) {
            case R16_UINT -> 2;
            case R32G32_UINT -> 8;
            case R32_UINT, R8G8B8A8_UINT, R8G8B8A8_UNORM -> 4;
            default -> throw new IllegalArgumentException(format + " is in no random graph");
        };
    }

    private static long bytes(Resource resource) {
        if (resource instanceof Texels texture) {
            return mipOffset(texture, texture.mips());
        }
        return (long) GraphShape.CHUNK * ((Words) resource).chunks();
    }

    private static int mipOffset(Texels texture, int mip) {
        int texels = 0;
        for (int i = 0; i < mip; i++) {
            texels += texture.width(i) * texture.height(i) * texture.layers();
        }
        return texels * texelBytes(texture.format());
    }

    /** Returns the bytes of a texel that is cleared to a number. */
    static byte[] texel(Format format, int word) {
        ByteBuffer texel = ByteBuffer.allocate(texelBytes(format)).order(ByteOrder.nativeOrder());
        switch (format) {
            case R16_UINT -> texel.putShort((short) word);
            case R32G32_UINT -> texel.putInt(word).putInt(~word);
            case R8G8B8A8_UNORM -> {
                for (int channel = 0; channel < 4; channel++) {
                    texel.put((byte) ((word >> channel & 1) == 0 ? 0 : 0xff));
                }
            }
            case R8G8B8A8_UINT -> {
                for (int channel = 0; channel < 4; channel++) {
                    texel.put((byte) (word >> (8 * channel)));
                }
            }
            default -> texel.putInt(word);
        }
        return texel.array();
    }

    /** One frame. */
    private final class Frame {
        private final GraphShape shape;
        private final int frame;
        private final ByteBuffer[] contents;
        private final List<ByteBuffer> read = new ArrayList<>();

        Frame(GraphShape shape, int frame) {
            this.shape = shape;
            this.frame = frame;
            contents = new ByteBuffer[shape.resources().size()];
            for (int i = 0; i < contents.length; i++) {
                Resource resource = shape.resources().get(i);
                long size = bytes(resource);
                contents[i] = switch (resource.life()) {
                    case EXTERNAL, EXCLUSIVE -> kept.computeIfAbsent(i, key -> zeros(size));
                    case PREVIOUS -> kept.computeIfAbsent(i, key -> initial(size));
                    case CURRENT, TRANSIENT -> zeros(size);
                };
            }
        }

        private ByteBuffer initial(long size) {
            ByteBuffer made = zeros(size);
            for (int at = 0; at < size; at += 4) {
                made.putInt(at, INITIAL);
            }
            return made;
        }

        List<ByteBuffer> run() {
            boolean keeps = false;
            for (Step step : shape.steps()) {
                run(step);
                keeps |= step.work() instanceof GraphShape.Mix mix
                        && shape.resources().get(mix.target().resource()).life() == Life.CURRENT;
            }
            if (keeps) {
                turn();
            }
            return read;
        }

        /** What was kept is what the next frame finds. */
        private void turn() {
            int previous = -1;
            int current = -1;
            for (int i = 0; i < contents.length; i++) {
                Life life = shape.resources().get(i).life();
                previous = life == Life.PREVIOUS ? i : previous;
                current = life == Life.CURRENT ? i : current;
            }
            kept.put(previous, contents[current]);
        }

        private void run(Step step) {
            GraphShape.Work work = step.work();
            if (work instanceof GraphShape.Fill fill) {
                int word = GraphShape.number(fill.word(), frame);
                for (int i = 0; i < words(fill.target()); i++) {
                    set(fill.target(), i, word);
                }
            } else if (work instanceof GraphShape.CopyChunks copy) {
                for (int i = 0; i < words(copy.target()); i++) {
                    set(copy.target(), i, get(copy.source(), i));
                }
            } else if (work instanceof GraphShape.Mix mix) {
                mix(mix);
            } else if (work instanceof GraphShape.Paint paint) {
                int number = GraphShape.number(paint.word(), frame);
                int at = offset(paint.target(), 0, 0);
                for (int i = 0; i < paint.target().texels(); i++) {
                    contents[paint.target().resource()].putInt(at + 4 * i, get(paint.source(), i) * 7 + number + i);
                }
            } else if (work instanceof GraphShape.Gather gather) {
                int number = GraphShape.number(gather.word(), frame);
                int at = offset(gather.source(), 0, 0);
                for (int i = 0; i < gather.source().texels(); i++) {
                    int texel = contents[gather.source().resource()].getInt(at + 4 * i);
                    set(gather.target(), i, texel * 13 + number + i);
                }
            } else if (work instanceof GraphShape.Upload upload) {
                rows(
                        upload.target(),
                        (place, packed, size) ->
                                move(upload.source(), packed, upload.target().resource(), place, size, false));
            } else if (work instanceof GraphShape.Download download) {
                rows(
                        download.source(),
                        (place, packed, size) -> move(
                                download.target(), packed, download.source().resource(), place, size, true));
            } else if (work instanceof GraphShape.CopyTexels copy) {
                copy(copy.source(), copy.target());
            } else if (work instanceof GraphShape.Clear clear) {
                clear(clear);
            } else if (work instanceof GraphShape.Render render) {
                if (render.clears()) {
                    fill(render.target(), render.word());
                }
                fill(render.rectangle(), GraphShape.number(render.second(), frame));
            } else if (work instanceof GraphShape.Resolve resolve) {
                fill(resolve.target(), resolve.word());
                fill(resolve.rectangle(), GraphShape.number(resolve.second(), frame));
            } else if (work instanceof GraphShape.ReadBack back) {
                ByteBuffer copy = zeros(contents[back.resource()].capacity());
                copy.put(0, contents[back.resource()].array());
                read.add(copy);
            }
        }

        private void mix(GraphShape.Mix mix) {
            int number = GraphShape.number(mix.word(), frame);
            for (int i = 0; i < words(mix.target()); i++) {
                int sum = get(mix.first(), i) * 31 + get(mix.second(), i) * 17 + number + i;
                set(mix.target(), i, mix.adds() ? get(mix.target(), i) * 3 + sum : sum);
            }
        }

        private void clear(GraphShape.Clear clear) {
            Texels texture = texture(clear.resource());
            for (int mip = clear.mip(); mip < clear.mip() + clear.mips(); mip++) {
                Box all = new Box(
                        clear.resource(), mip, 0, texture.layers(), 0, 0, texture.width(mip), texture.height(mip));
                fill(all, GraphShape.number(clear.word(), frame));
            }
        }

        private void fill(Box box, int word) {
            byte[] texel = texel(texture(box.resource()).format(), word);
            rows(box, (place, packed, size) -> {
                for (int at = 0; at < size; at += texel.length) {
                    contents[box.resource()].put(place + at, texel);
                }
            });
        }

        private void copy(Box source, Box target) {
            List<byte[]> texels = new ArrayList<>();
            rows(
                    source,
                    (place, packed, size) ->
                            texels.add(Arrays.copyOfRange(contents[source.resource()].array(), place, place + size)));
            int[] next = new int[1];
            rows(target, (place, packed, size) -> contents[target.resource()].put(place, texels.get(next[0]++)));
        }

        private void move(Chunks chunks, int packed, int texture, int place, int size, boolean out) {
            byte[] buffer = contents[chunks.resource()].array();
            byte[] texels = contents[texture].array();
            int at = Math.toIntExact(chunks.offset()) + packed;
            if (out) {
                System.arraycopy(texels, place, buffer, at, size);
            } else {
                System.arraycopy(buffer, at, texels, place, size);
            }
        }

        /** Calls for each row of a box, with where it lies and where it would if the box were tightly packed. */
        private void rows(Box box, Row row) {
            int size = box.width() * texelBytes(texture(box.resource()).format());
            int packed = 0;
            for (int layer = 0; layer < box.layers(); layer++) {
                for (int y = 0; y < box.height(); y++) {
                    row.at(offset(box, layer, y), packed, size);
                    packed += size;
                }
            }
        }

        /** Returns where a row of a box begins. */
        private int offset(Box box, int layer, int y) {
            Texels texture = texture(box.resource());
            int width = texture.width(box.mip());
            int texels = ((box.layer() + layer) * texture.height(box.mip()) + box.y() + y) * width + box.x();
            return mipOffset(texture, box.mip()) + texels * texelBytes(texture.format());
        }

        private Texels texture(int resource) {
            return (Texels) shape.resources().get(resource);
        }

        private int words(Chunks chunks) {
            return chunks.count() * GraphShape.CHUNK_WORDS;
        }

        private int get(Chunks chunks, int word) {
            return contents[chunks.resource()].getInt(Math.toIntExact(chunks.offset()) + 4 * word);
        }

        private void set(Chunks chunks, int word, int value) {
            contents[chunks.resource()].putInt(Math.toIntExact(chunks.offset()) + 4 * word, value);
        }
    }

    /** Takes a row of texels. */
    private interface Row {
        void at(int place, int packed, int size);
    }
}
