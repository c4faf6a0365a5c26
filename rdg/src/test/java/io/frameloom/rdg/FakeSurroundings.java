package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import java.lang.reflect.Proxy;
import java.util.EnumSet;

/** Externals and histories without a device, for plans that are only judged. */
final class FakeSurroundings implements ModelDeclaration.Surroundings {
    private static final GpuDevice MAKER = (GpuDevice) Proxy.newProxyInstance(
            GpuDevice.class.getClassLoader(), new Class<?>[] {GpuDevice.class}, (proxy, method, arguments) -> {
                if (arguments != null && arguments.length == 2 && arguments[1] instanceof TextureDescription shape) {
                    Texture made = FakeResources.texture("made", shape.mips(), shape.layers(), shape.format());
                    return FakeResources.made(
                            (String) arguments[0], made.description().withSharing(shape.sharing()));
                }
                if (arguments != null && arguments.length == 2 && arguments[1] instanceof BufferDescription shape) {
                    return FakeResources.buffer(
                            (String) arguments[0], shape.withUsage(EnumSet.allOf(BufferUsage.class)));
                }
                throw new UnsupportedOperationException(method.getName());
            });

    /** Returns a device that makes resources and nothing else. */
    static GpuDevice device() {
        return MAKER;
    }

    @Override
    public Texture texture(GraphModel.Res res) {
        Texture imported = FakeResources.texture(res.name(), res.mips(), res.layers(), res.format());
        return res.sharing() == QueueSharing.CONCURRENT
                ? imported
                : FakeResources.made(res.name(), imported.description().withSharing(res.sharing()));
    }

    @Override
    public Buffer buffer(GraphModel.Res res) {
        return FakeResources.buffer(
                res.name(),
                new BufferDescription(res.bytes(), EnumSet.allOf(BufferUsage.class), res.memory(), res.sharing()));
    }

    @Override
    public TextureHistory textureHistory(GraphModel.Res res) {
        return new TextureHistory(MAKER, res.name(), rest(res), ClearColor.BLACK_TRANSPARENT);
    }

    @Override
    public BufferHistory bufferHistory(GraphModel.Res res) {
        return new BufferHistory(MAKER, res.name(), rest(res), 0);
    }

    static Access rest(GraphModel.Res res) {
        Access rest = res.finalAccess();
        if (rest == null) {
            throw new IllegalArgumentException(res.name() + " has no access to rest in");
        }
        return rest;
    }
}
